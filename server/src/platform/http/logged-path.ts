/** A segment that names a person, after the path that leads to it, which is the only group; and what stands for it. */
export type PersonalSegment = { pattern: RegExp; placeholder: string };

/** The path as logs and traces have it: without the query, which may carry codes and tokens, and without whom it names. */
export function loggedPath(url: string, personal: PersonalSegment | undefined): string {
  const [path = ''] = url.split('?', 1);
  return personal ? path.replace(personal.pattern, `$1${personal.placeholder}`) : path;
}
