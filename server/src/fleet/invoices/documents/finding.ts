import { pathOf, type XmlElement } from './xml-element.ts';

/** What is wrong with an electronic invoice, by a rule of EN 16931 or in the form of a value. */
export type Finding = {
  /** Such as `BR-CO-10`; `FORMAT` where a value is not of its type. */
  rule: string;
  /** The business term or group: `BT-106`. */
  term: string;
  /** An XPath without prefixes. */
  path: string;
  message: string;
  found?: string;
  expected?: string;
  /** A warning does not make the invoice invalid. */
  severity: 'error' | 'warning';
};

/** Of each severity; beyond these a document says nothing new. */
const maxFindings = 100;
const maxValueLength = 200;

export class Findings {
  readonly list: Finding[] = [];
  // Apart, so that no number of warnings hides an error.
  readonly #counts = { error: 0, warning: 0 };

  add(
    rule: string,
    term: string,
    at: XmlElement,
    message: string,
    values: { found?: string; expected?: string; severity?: Finding['severity'] } = {},
  ): void {
    const { found, expected, severity = 'error' } = values;
    if (this.#counts[severity] >= maxFindings) return;
    this.#counts[severity] += 1;
    this.list.push({
      rule,
      term,
      path: pathOf(at),
      message,
      ...(found !== undefined && { found: found.slice(0, maxValueLength) }),
      ...(expected !== undefined && { expected: expected.slice(0, maxValueLength) }),
      severity,
    });
  }

  /** Of a value that is there, but not of its type, that alone is told. */
  addMissing(rule: string, term: string, at: XmlElement, message: string): void {
    if (this.#counts.error >= maxFindings) return;
    const path = pathOf(at);
    const isMalformed = this.list.some(
      (other) => other.rule === 'FORMAT' && other.term === term && other.path.startsWith(path),
    );
    if (!isMalformed) this.add(rule, term, at, message);
  }
}
