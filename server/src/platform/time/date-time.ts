/** ISO 8601 with an offset, without which it would be no instant. */
const dateTime =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-4]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(0\d|1[0-4])(?::?([0-5]\d))?)$/i;

const withoutOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}(?::?\d{2}){0,2}(?:[.,]\d+)?$/i;

/** The form that nearly all have: `Date.parse` and PostgreSQL read it as it is. */
const usual = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // Day 0 of the next month is the last day of this one.
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= date.getUTCDate();
}

export function isDateTime(text: string): boolean {
  const match = dateTime.exec(text);
  if (!match) return false;
  const [, date = '', hours, minutes, seconds = '', fraction = '', sign] = match;
  if (!isDate(date)) return false;
  const isDayEnd = hours === '24';
  if (isDayEnd && /[1-9]/.test(minutes + seconds + fraction)) return false;
  // In UTC these are outside of the years 1 to 9999, which the format cannot express.
  if (date === '9999-12-31' && (sign === '-' || isDayEnd)) return false;
  return !(date === '0001-01-01' && sign === '+');
}

/** Why a text is no date-time, and what is expected. */
export function dateTimeIssue(name: string, text: unknown): string {
  if (typeof text === 'string' && withoutOffset.test(text)) {
    return (
      `${name} has no offset from UTC, without which it names no instant: ` +
      'add Z or an offset, such as 2024-02-29T12:30:00Z or 2024-02-29T13:30:00+01:00.'
    );
  }
  return `${name} must be a date and time with its offset such as 2024-02-29T12:30:00Z.`;
}

/** The same instant in the one form that `Date.parse` and PostgreSQL read alike. */
export function canonicalDateTime(text: string): string {
  if (usual.test(text)) return text;
  const match = dateTime.exec(text);
  if (!match) return text;
  const [, date = '', hours, minutes, seconds = '00', fraction, sign, offset, more = '00'] = match;
  const zone = sign === undefined ? 'Z' : `${sign}${offset}:${more}`;
  const end = `:${minutes}:${seconds}${fraction === undefined ? '' : `.${fraction}`}${zone}`;
  // 24:00 is the beginning of the next day.
  return hours === '24' ? `${dayAfter(date)}T00${end}` : `${date}T${hours}${end}`;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}
