import { createHash } from 'node:crypto';

/** A UUID in the form of version 4, always the same for the same name. */
export function uuidFor(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
