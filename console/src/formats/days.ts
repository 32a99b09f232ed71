/** A day such as 2027-03-01, by the clock of the person. */
export function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Of what somebody may have typed into the address; of years whose days all have neighbours. */
export function parseDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T12:00:00`);
  return !Number.isNaN(date.getTime()) && dayOf(date) === text ? text : undefined;
}

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T12:00:00`);
  date.setDate(date.getDate() + count);
  return dayOf(date);
}

/** Its first moment, and that of the next day. */
export function boundsOfDay(day: string): { from: string; to: string } {
  const begin = (one: string) => new Date(`${one}T00:00:00`).toISOString();
  return { from: begin(day), to: begin(addDays(day, 1)) };
}

/** A month such as 2027-03, some months away. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return dayOf(new Date(year, number - 1 + count, 1, 12)).slice(0, 7);
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
