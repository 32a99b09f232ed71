import { formats } from './formats.ts';
import { notFound } from './problem.ts';

/** 404 for an id that is no UUID, which a statement would reject. In lower case, as PostgreSQL writes it where it is text. */
export function requireUuid(id: string, resource: string): string {
  if (!formats.uuid(id)) throw notFound(resource);
  return id.toLowerCase();
}
