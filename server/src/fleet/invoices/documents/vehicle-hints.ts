import type { ElectronicInvoice, InvoiceLine } from './electronic-invoice.ts';

/** What may name a vehicle in a text, without spaces and hyphens. */
export type VehicleHints = { vins: Set<string>; plates: Set<string> };

const maxHints = 200;
// Of all texts of a line, or of the invoice: more than a few names of vehicles take.
const maxTextLength = 2_000;

/** ISO 3779: 17 letters and digits without I, O and Q, which end in four digits; of a plate, any letters and digits. */
const vinPattern = /^(?=.*[A-Z])[A-HJ-NPR-Z0-9]{13}\d{4}$/;
const platePattern = /^(?=.*[A-ZÄÖÜ])(?=.*\d)[A-ZÄÖÜ0-9]{4,10}$/;

const wordRuns = /[A-ZÄÖÜ0-9]+(?:[ \-.·]{1,3}[A-ZÄÖÜ0-9]+)*/g;

export function vehicleHints(texts: readonly (string | undefined)[]): VehicleHints {
  const hints: VehicleHints = { vins: new Set(), plates: new Set() };
  let left = maxTextLength;
  for (const text of texts) {
    if (text === undefined || left <= 0) continue;
    for (const run of text.slice(0, left).match(wordRuns) ?? []) {
      addHints(hints, run.split(/[ \-.·]+/));
    }
    left -= text.length;
  }
  return hints;
}

/** A plate is one word, or up to four that follow each other. */
function addHints({ vins, plates }: VehicleHints, words: readonly string[]): void {
  for (const start of words.keys()) {
    for (let end = start + 1; end <= Math.min(start + 4, words.length); end++) {
      const joined = words.slice(start, end).join('');
      if (vinPattern.test(joined) && vins.size < maxHints) vins.add(joined);
      if (platePattern.test(joined) && plates.size < maxHints) plates.add(joined);
    }
  }
}

/** What a line says of its vehicle. */
export function hintsOfLine(line: InvoiceLine): VehicleHints {
  const { notes, object, orderLine, accounting, itemName, itemDescription } = line;
  const attributes = line.attributes.map(({ value }) => value);
  const identifiers = [
    ...line.itemIdentifiers,
    ...line.standardIdentifiers.map(({ value }) => value),
  ];
  return vehicleHints([
    ...notes,
    object,
    orderLine,
    accounting,
    itemName,
    itemDescription,
    ...identifiers,
    ...attributes,
  ]);
}

/** What the invoice says of the vehicle that all its lines are for. */
export function hintsOfInvoice(invoice: ElectronicInvoice): VehicleHints {
  const documents = invoice.supportingDocuments.flatMap((document) => [
    document.reference,
    document.description,
    document.filename,
  ]);
  return vehicleHints([...Object.values(invoice.references), ...invoice.notes, ...documents]);
}
