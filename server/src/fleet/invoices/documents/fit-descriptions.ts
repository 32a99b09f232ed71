import type { NewInvoice } from '../invoice.ts';
import { yieldBetweenLines } from '../yield-between-lines.ts';
import { clipped } from './clipped.ts';

/** Of an invoice as JSON: with its vehicles and files, it still fits into the body that overwrites it. */
export const maxInvoiceBytes = 917_504;

/**
 * Shortens the descriptions of the lines where the invoice would be larger than one is kept; undefined where it is
 * larger without any.
 */
export async function fitDescriptions(invoice: NewInvoice): Promise<NewInvoice | undefined> {
  const yieldAfter = yieldBetweenLines();
  let left = maxInvoiceBytes - bytesOf({ ...invoice, lines: [] });
  let wanted = 0;
  for (const { description, ...rest } of invoice.lines) {
    left -= bytesOf(rest);
    wanted += descriptionBytes(description);
    await yieldAfter(rest);
  }
  if (left < 0) return undefined;
  if (wanted <= left) return invoice;
  const lines: NewInvoice['lines'] = [];
  for (const [index, { description, ...rest }] of invoice.lines.entries()) {
    // What a line leaves of its share is for those after it.
    const share = Math.floor(left / (invoice.lines.length - index));
    const fitting = shortened(description, share);
    left -= descriptionBytes(fitting);
    lines.push({ ...rest, ...(fitting !== undefined && { description: fitting }) });
    await yieldAfter(rest);
  }
  return { ...invoice, lines };
}

function shortened(description: string | undefined, bytes: number): string | undefined {
  let text = description;
  while (text !== undefined && descriptionBytes(text) > bytes) {
    text = text.length > 2 ? clipped(text, Math.floor(text.length / 2)) : undefined;
  }
  return text;
}

function descriptionBytes(description: string | undefined): number {
  return description === undefined ? 0 : bytesOf({ description });
}

/** With the comma that follows. */
function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
