/** The paths that name a person, by a UUID: in the segment at the position behind one that has one of these names. */
export type PersonalSegment = { behind: RegExp; position: number; placeholder: string };

/** Longer than the path of any operation: others take no time, and fill no log. */
const maxLength = 1_024;
const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * The path as logs and traces have it: without the query, which may carry codes and tokens, and without whom it names, however
 * it is written, and also where no route is found.
 */
export function loggedPath(url: string, personal: PersonalSegment | undefined): string {
  const [all = ''] = url.split('?', 1);
  // Between segments, so that none is read that names somebody in part.
  const path =
    all.length > maxLength ? `${all.slice(0, all.lastIndexOf('/', maxLength) + 1)}…` : all;
  if (!personal?.behind.test(decode(path))) return path;
  const segments = path.split('/');
  const decoded = segments.map(decode);
  const start = decoded.findIndex((segment) => personal.behind.test(segment));
  let position = -1;
  return segments
    .map((segment, index) => {
      const plain = decoded[index] ?? '';
      if (index < start || plain === '') return segment;
      position += 1;
      return position === personal.position || uuid.test(plain) ? personal.placeholder : segment;
    })
    .join('/');
}

/** Of what is not properly encoded, what is; ids and names are ASCII. */
function decode(segment: string): string {
  return segment.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}
