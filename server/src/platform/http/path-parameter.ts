/** A parameter of a path, with its bound; an id that does not have the form is of nothing that exists. */
export type PathParameter = { description: string; example: string } & (
  | { format: 'uuid' }
  | { maxLength: number }
);

export function uuidParameter(description: string, example: string): PathParameter {
  return { description, example, format: 'uuid' };
}

export function textParameter(
  maxLength: number,
  description: string,
  example: string,
): PathParameter {
  return { description, example, maxLength };
}
