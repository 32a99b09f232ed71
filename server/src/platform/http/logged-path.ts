/** The paths that name a person, by a UUID: in the segment at the position behind one of these names. */
export type PersonalSegment = { behind: readonly string[]; position: number; placeholder: string };

const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * The path as logs and traces have it: without the query, which may carry codes and tokens, and without whom it names, however
 * it is written, and also where no route is found.
 */
export function loggedPath(url: string, personal: PersonalSegment | undefined): string {
  const [path = ''] = url.split('?', 1);
  if (!personal) return path;
  const segments = path.split('/');
  const decoded = segments.map(decode);
  const name = new RegExp(`\\b(${personal.behind.join('|')})\\b`, 'i');
  const start = decoded.findIndex((segment) => name.test(segment));
  if (start < 0) return path;
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
