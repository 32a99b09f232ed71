import type { Language } from '../texts/languages.ts';
import { digitsOf, majorOf } from './currency.ts';

const daySeconds = 86_400;
const ageSteps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', daySeconds],
  ['hour', 3_600],
  ['minute', 60],
];

/** Dates, numbers and units, as the person's language and region write them. */
export function createFormats(language: Language, regions: readonly string[]) {
  // An American and a Briton share the texts, and not the dates.
  const locale = regions.find((region) => region.split('-')[0] === language) ?? language;
  const numbers = new Map<string, Intl.NumberFormat>();
  const number = (value: number, options: Intl.NumberFormatOptions = {}) => {
    const key = JSON.stringify(options);
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
    numbers.set(key, format);
    return format.format(value);
  };
  const unit = (name: string, digits: number) => (value: number) =>
    number(value, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    });
  const price = (major: number, currency: string, digits: number) =>
    number(major, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' });
  const longMonth = new Intl.DateTimeFormat(locale, { month: 'long' });
  const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short' });
  const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const brief = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.5);
  const separator = (type: 'decimal' | 'group', other: string) =>
    parts.find((part) => part.type === type)?.value ?? other;
  return {
    locale,
    /** Of numbers, for fields in which they are typed. */
    separators: { decimal: separator('decimal', '.'), group: separator('group', ',') },
    number: (value: number, digits = 0) => number(value, { maximumFractionDigits: digits }),
    percent: (value: number) => number(value / 100, { style: 'percent', maximumFractionDigits: 0 }),
    /** The same of a rate, such as that of a tax, which may have digits. */
    percentOf: (value: number) =>
      number(value / 100, { style: 'percent', maximumFractionDigits: 2 }),
    change: (ratio: number) =>
      number(ratio, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
    /** A difference of numbers, with its sign. */
    difference: (value: number) => (value === 0 ? '±0' : number(value, { signDisplay: 'always' })),
    kilometres: unit('kilometer', 0),
    litres: unit('liter', 0),
    // Neither is a unit of Intl.
    kilowattHours: (value: number) => `${number(value, { maximumFractionDigits: 1 })} kWh`,
    bar: (value: number) =>
      `${number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} bar`,
    /** Of an amount in the minor unit, as the interface has it. */
    money: (minor: number, currency: string) => price(majorOf(minor, currency), currency, 0),
    /** The same to the minor unit, for what is checked and paid. */
    exactMoney: (minor: number, currency: string) =>
      price(majorOf(minor, currency), currency, digitsOf(currency)),
    /** Of an amount in the major unit, with as many digits as are wanted. */
    price,
    bytes: (value: number) =>
      value < 1_000_000
        ? unit('kilobyte', 0)(Math.max(1, value / 1_000))
        : unit('megabyte', 1)(value / 1_000_000),
    /** A day without a time, such as 2027-03-01. */
    date: (value: string) => day.format(new Date(`${value.slice(0, 10)}T12:00:00`)),
    /** The same without its year. */
    shortDate: (value: string) => shortDay.format(new Date(`${value.slice(0, 10)}T12:00:00`)),
    /** The day of a moment, where the person is. */
    day: (value: string) => day.format(new Date(value)),
    clock: (value: string) => clock.format(new Date(value)),
    time: (value: string) => moment.format(new Date(value)),
    /** Of milliseconds, in hours and minutes, by symbols that are the same in every language and browser. */
    duration: (ms: number) => {
      const minutes = Math.round(ms / 60_000);
      const parts = [
        minutes >= 60 && `${Math.floor(minutes / 60)} h`,
        (minutes % 60 > 0 || minutes < 60) && `${minutes % 60} min`,
      ];
      return parts.filter(Boolean).join(' ');
    },
    /** A month, such as 2027-03. */
    month: (value: string) => month.format(new Date(`${value.slice(0, 7)}-15T12:00:00`)),
    longMonth: (value: string) => longMonth.format(new Date(`${value.slice(0, 7)}-15T12:00:00`)),
    shortMonth: (value: string) => shortMonth.format(new Date(`${value.slice(0, 7)}-15T12:00:00`)),
    /** How long ago a moment is, in the largest unit that fits. */
    age: (value: string, now: number) => {
      const seconds = (new Date(value).getTime() - now) / 1_000;
      const [name, size] = ageSteps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
      const format = size < daySeconds ? brief : relative;
      return format.format(Math.trunc(seconds / size), name);
    },
    /** How many days a day is away from today, in words. */
    days: (value: string, now: number) => {
      const today = new Date(now);
      today.setHours(12, 0, 0, 0);
      const then = new Date(`${value.slice(0, 10)}T12:00:00`).getTime();
      return relative.format(Math.round((then - today.getTime()) / 86_400_000), 'day');
    },
  };
}

export type Formats = ReturnType<typeof createFormats>;
