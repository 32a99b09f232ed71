const smallestNormal = 2 ** -1022;

/** PostgreSQL refuses to compute with many subnormal numbers, which no measurement yields: they are taken for 0. */
export function toStorable(value: number): number {
  return isSubnormal(value) ? 0 : value;
}

export function isSubnormal(value: unknown): value is number {
  return typeof value === 'number' && value !== 0 && Math.abs(value) < smallestNormal;
}

// Any other number is at least 1e-299, by its digits and its exponent.
const smallNumber = /e-\d{3}|\.0{200}/i;

/** Whether a text of numbers may have a subnormal one. */
export function mayBeSubnormal(text: string): boolean {
  return smallNumber.test(text);
}
