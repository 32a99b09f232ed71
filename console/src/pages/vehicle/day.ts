/** A day of the person's calendar, such as 2026-11-16. */
export function dayOf(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

export function parseDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const time = new Date(`${text}T12:00:00`);
  return !Number.isNaN(time.getTime()) && dayOf(time) === text ? text : undefined;
}

export function addDays(day: string, days: number): string {
  const time = new Date(`${day}T12:00:00`);
  time.setDate(time.getDate() + days);
  return dayOf(time);
}

/** Its first moment, and that of the next day. */
export function boundsOfDay(day: string): { from: string; to: string } {
  const begin = (one: string) => new Date(`${one}T00:00:00`).toISOString();
  return { from: begin(day), to: begin(addDays(day, 1)) };
}
