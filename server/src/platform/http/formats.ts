import { isDate, isDateTime } from '../time/date-time.ts';
import { parseUrl } from './parse-url.ts';

const isUrl = (text: string) => /^https?:\/\//i.test(text) && parseUrl(text) !== null;

/** The string formats of the interface; dates must exist in the calendar. */
export const formats = {
  date: isDate,
  'date-time': isDateTime,
  uuid: (text: string) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
  uri: isUrl,
  // Absolute, or relative to the address of the service.
  'uri-reference': (text: string) => isUrl(text) || /^\/(?!\/)[\w./-]*$/.test(text),
};
