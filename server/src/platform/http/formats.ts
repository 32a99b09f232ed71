/** The string formats of the interface; dates must exist in the calendar. */
export const formats = {
  date: isDate,
  'date-time': isDateTime,
  uuid: (text: string) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  uri: (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text),
};

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // Day 0 of the next month is the last day of this one.
  const date = new Date(0);
  date.setUTCFullYear(year, month, 0);
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= date.getUTCDate();
}

/** ISO 8601 with an offset, without which it would be no instant. */
function isDateTime(text: string): boolean {
  const [, date, sign] =
    /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|([+-])(?:0\d|1[0-4]):?[0-5]\d)$/i.exec(
      text,
    ) ?? [];
  if (date === undefined || !isDate(date)) return false;
  // In UTC these are outside of the years 1 to 9999, which the format cannot express.
  return !(date === '0001-01-01' && sign === '+') && !(date === '9999-12-31' && sign === '-');
}
