/** Dates and times as people write them in German and English forms; days come before months, as in Europe. */

const months = [
  ['januar', 'january', 'jaenner', 'jan'],
  ['februar', 'february', 'feb'],
  ['maerz', 'march', 'mar', 'marz'],
  ['april', 'apr'],
  ['mai', 'may'],
  ['juni', 'june', 'jun'],
  ['juli', 'july', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['oktober', 'october', 'okt', 'oct'],
  ['november', 'nov'],
  ['dezember', 'december', 'dez', 'dec'],
];

/** A calendar date such as 2026-11-14; undefined where the text has none. */
export function findDate(text: string): string | undefined {
  const plain = digitsRestored(text);
  const iso = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(plain);
  if (iso) return calendarDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const numeric = /(?<!\d)(\d{1,2})\s?[./,-]\s?(\d{1,2})\s?[./,-]\s?(\d{4}|\d{2})(?!\d)/.exec(
    plain,
  );
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    const year = fullYear(numeric[3] ?? '');
    // Only an American would write a thirteenth month.
    return second > 12 ? calendarDate(year, first, second) : calendarDate(year, second, first);
  }
  const named = /(\d{1,2})(?:st|nd|rd|th|\.)?\s*(\p{L}{3,10})\.?,?\s*(\d{4}|\d{2})(?!\d)/u.exec(
    text,
  );
  if (!named) return undefined;
  const name = (named[2] ?? '').toLowerCase().replace('ä', 'ae');
  const month = months.findIndex((names) => names.includes(name)) + 1;
  return calendarDate(fullYear(named[3] ?? ''), month, Number(named[1]));
}

/** A time such as 17:20; undefined where the text has none. */
export function findTime(text: string): string | undefined {
  const plain = digitsRestored(text);
  const found =
    /(?<!\d)(\d{1,2})\s?[:.]\s?(\d{2})(?!\d)\s*(?:uhr|h)?\s*([ap])?\.?(?:m\b)?/i.exec(plain) ??
    /(?<!\d)(\d{1,2})()\s*(?:uhr|h\b|([ap])\.?m\b)/i.exec(plain) ??
    // A colon that was read as a digit.
    /^\s*(\d{2})\d(\d{2})\s*$/.exec(plain);
  if (!found) return undefined;
  const [, hours = '', minutes = '', half = ''] = found;
  const isAfternoon = /p/i.test(half);
  const hour = half === '' ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

/** Letters that were read for digits, in words that have digits. */
function digitsRestored(text: string): string {
  return text.replaceAll(/\S*\d\S*/g, (word) =>
    word
      .replaceAll(/[OoQ]/g, '0')
      .replaceAll(/[Il|]/g, '1')
      .replaceAll(/[sS](?=\d|$)/g, '5'),
  );
}

function fullYear(year: string): number {
  return year.length === 2 ? 2_000 + Number(year) : Number(year);
}

function calendarDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= 1990 && year < 2100 ? date.toISOString().slice(0, 10) : undefined;
}
