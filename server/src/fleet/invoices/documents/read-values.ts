import { Big } from 'big.js';
import type { Findings } from './finding.ts';
import { elementAt, textOf, type XmlElement } from './xml-element.ts';

// Bounds what exact arithmetic can cost.
const maxDigits = 30;

/** The decimal (xs:decimal) at a path; undefined and a finding where it is none. */
export function decimalAt(
  findings: Findings,
  element: XmlElement | undefined,
  path: string,
  term: string,
): Big | undefined {
  return decimalOf(findings, elementAt(element, path), term);
}

export function decimalOf(
  findings: Findings,
  found: XmlElement | undefined,
  term: string,
): Big | undefined {
  const text = textOf(found);
  if (found === undefined || text === undefined) return undefined;
  if (text.length > maxDigits || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) {
    const message = `A decimal number with a point and at most ${maxDigits} characters is expected.`;
    findings.add('FORMAT', term, found, message, { found: text.slice(0, 100) });
    return undefined;
  }
  return new Big(
    text
      .replace(/^\+/, '')
      .replace(/\.$/, '')
      .replace(/^(-?)\./, '$10.'),
  );
}

/** The date (xs:date) at a path as YYYY-MM-DD, without its time zone. */
export function dateAt(
  findings: Findings,
  element: XmlElement | undefined,
  path: string,
  term: string,
): string | undefined {
  const found = elementAt(element, path);
  const text = textOf(found);
  if (found === undefined || text === undefined) return undefined;
  const date = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})?$/.exec(text)?.[1];
  return checkedDate(findings, found, term, text, date, 'YYYY-MM-DD');
}

/** The date at a path in UN/CEFACT's format 102, as YYYY-MM-DD. */
export function basicDateAt(
  findings: Findings,
  element: XmlElement | undefined,
  path: string,
  term: string,
): string | undefined {
  const found = elementAt(element, path);
  const text = textOf(found);
  if (found === undefined || text === undefined) return undefined;
  const isBasic = (found.attributes.format ?? '102') === '102';
  const date = isBasic ? /^(\d{4})(\d{2})(\d{2})$/.exec(text) : null;
  const iso = date ? `${date[1]}-${date[2]}-${date[3]}` : undefined;
  return checkedDate(findings, found, term, text, iso, 'YYYYMMDD in format 102');
}

function checkedDate(
  findings: Findings,
  found: XmlElement,
  term: string,
  text: string,
  date: string | undefined,
  format: string,
): string | undefined {
  // PostgreSQL has no year 0.
  const hasYear = date !== undefined && date >= '0001';
  const day = hasYear ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (hasYear && !Number.isNaN(day) && new Date(day).toISOString().startsWith(date)) {
    return date;
  }
  findings.add('FORMAT', term, found, `A date is expected: ${format}.`, {
    found: text.slice(0, 100),
  });
  return undefined;
}
