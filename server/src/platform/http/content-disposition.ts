import { create } from 'content-disposition';

// Control characters, and those that turn the direction of what follows to feign another ending.
const misleading = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Says that a body is a file to be saved, under a name that neither leads elsewhere nor misleads. */
export function attachment(filename: string): string {
  const safe = filename.toWellFormed().replaceAll(misleading, '').replaceAll(/[/\\]/g, '_') || '_';
  return create(safe);
}
