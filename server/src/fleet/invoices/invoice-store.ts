import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../platform/db/database.ts';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { arrayParts, LargeJson, maxAnswerBytes } from '../../platform/http/large-json.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { type Blob, withBlobs } from '../files/public.ts';
import type { Invoice, NewInvoice } from './invoice.ts';
import { lineColumns, lineRows, writtenColumns, writtenValues } from './invoice-columns.ts';
import {
  type InvoiceRow,
  invoiceColumns,
  invoiceOf,
  type LineRow,
  lineOf,
  lineRowColumns,
} from './invoice-row.ts';
import { linkCompletions, lockLinkedVehicles, requireLinks } from './line-links.ts';
import { requireNewNumber } from './supplier-numbers.ts';

export type StoredInvoice = { invoice: Invoice; version: number };

/** Stores a new invoice, whatever its amounts: 404 for a link to what does not exist, 409 for a number that the supplier has used. */
export async function insertInvoice(
  tx: Queryable,
  provider: ProviderRef,
  invoice: NewInvoice,
  now: Date,
  id: string = randomUUID(),
): Promise<StoredInvoice> {
  await lockLinkedVehicles(tx, provider, invoice.lines);
  const linked = await prepare(tx, provider, invoice);
  const values = [provider.id, now, id, ...writtenValues(linked)];
  const [row] = (await tx.query<InvoiceRow>(insertStatement, values)) as [InvoiceRow];
  await writeLines(tx, provider, row.id, linked);
  return complete(tx, provider, row);
}

/** Overwrites an invoice, which the caller has locked, as it has the vehicles of its lines before. */
export async function updateInvoice(
  tx: Queryable,
  provider: ProviderRef,
  id: string,
  invoice: NewInvoice,
  now: Date,
): Promise<StoredInvoice> {
  const linked = await prepare(tx, provider, invoice, id);
  const values = [provider.id, id, now, ...writtenValues(linked)];
  const [row] = (await tx.query<InvoiceRow>(updateStatement, values)) as [InvoiceRow];
  await writeLines(tx, provider, id, linked);
  return complete(tx, provider, row);
}

async function prepare(
  tx: Queryable,
  provider: ProviderRef,
  invoice: NewInvoice,
  id?: string,
): Promise<NewInvoice> {
  await requireLinks(tx, provider, invoice.lines, id);
  await requireNewNumber(tx, provider, invoice, id);
  return linkCompletions(tx, provider, invoice);
}

/** The invoice as it is answered, with its lines in pieces; undefined without such an invoice. */
export async function readInvoiceDocument(
  db: Queryable,
  provider: ProviderRef,
  id: string,
): Promise<{ document: LargeJson; version: number } | undefined> {
  const budget = new ReadBudget(maxAnswerBytes);
  const rows = await db.query<InvoiceRow>(selectInvoice, [provider.id, id], budget);
  const [parts] = await readParts(db, provider, rows, budget);
  return parts && { document: documentOf(parts, budget), version: parts.row.version };
}

function documentOf({ row, lines, blobs }: InvoiceParts, { usedBytes }: ReadBudget): LargeJson {
  const before = `${JSON.stringify(invoiceOf(row)).slice(0, -1)},`;
  const after = blobs ? `,"blobs":${JSON.stringify(blobs)}}` : '}';
  return new LargeJson(before, arrayParts('"lines":[', lines, lineOf, ']'), after, usedBytes);
}

async function complete(
  tx: Queryable,
  provider: ProviderRef,
  row: InvoiceRow,
): Promise<StoredInvoice> {
  const [parts] = (await readParts(tx, provider, [row])) as [InvoiceParts];
  return { invoice: invoiceOfParts(parts), version: row.version };
}

/** Undefined without such an invoice. */
export async function readInvoice(
  db: Queryable,
  provider: ProviderRef,
  id: string,
  lock: '' | 'for no key update' = '',
): Promise<StoredInvoice | undefined> {
  const [row] = await db.query<InvoiceRow>(`${selectInvoice} ${lock}`, [provider.id, id]);
  return row && complete(db, provider, row);
}

type InvoiceParts = { id: string; row: InvoiceRow; lines: LineRow[]; blobs?: Blob[] };

/** The rows that invoices are made of, within the budget of the page. */
export async function readParts(
  db: Queryable,
  provider: ProviderRef,
  rows: readonly InvoiceRow[],
  budget?: ReadBudget,
): Promise<InvoiceParts[]> {
  const ids = rows.map(({ id }) => id);
  const lines = await db.query<LineRow>(selectLines, [provider.id, ids], budget);
  const byInvoice = Map.groupBy(lines, ({ invoice_id }) => invoice_id);
  const parts = rows.map((row) => ({ id: row.id, row, lines: byInvoice.get(row.id) ?? [] }));
  return withBlobs(db, provider, 'invoices', parts, budget);
}

/** Apart from reading them: the lines of a page are too many for one turn of the event loop. */
export function invoiceOfParts({ row, lines, blobs }: InvoiceParts): Invoice {
  return { ...invoiceOf(row), lines: lines.map(lineOf), ...(blobs && { blobs }) };
}

/** Lines that stay as they were are not written, so that the audit trail has the changes alone. */
async function writeLines(
  tx: Queryable,
  provider: ProviderRef,
  id: string,
  invoice: NewInvoice,
): Promise<void> {
  const rows = lineRows(invoice);
  await tx.query(deleteLines, [provider.id, id, rows.length]);
  if (rows.length > 0) await tx.query(upsertLines, [provider.id, id, JSON.stringify(rows)]);
}

const selectInvoice = `select ${invoiceColumns} from invoices i where i.provider = $1 and i.id = $2`;

const selectLines = `
  select ${lineRowColumns} from invoice_lines l
  where l.provider = $1 and l.invoice_id = any($2::uuid[]) order by l.invoice_id, l.position`;

const names = writtenColumns.map(([name]) => name);

const insertStatement = `
  insert into invoices as i (provider, created_at, updated_at, id, ${names.join(', ')})
  values ($1, $2, $2, $3, ${names.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${invoiceColumns}`;

const updateStatement = `
  update invoices i set version = version + 1, updated_at = $3,
    was_open = was_open or status not in ('draft', 'cancelled'),
    ${names.map((name, index) => `${name} = $${index + 4}`).join(', ')}
  where i.provider = $1 and i.id = $2
  returning ${invoiceColumns}`;

const deleteLines =
  'delete from invoice_lines where provider = $1 and invoice_id = $2 and position >= $3';

const upsertLines = `
  insert into invoice_lines as l (provider, invoice_id, position, ${lineColumns.join(', ')})
  select $1, $2, position, ${lineColumns.join(', ')}
  from jsonb_populate_recordset(null::invoice_lines, $3::jsonb)
  on conflict (provider, invoice_id, position) do update set
    ${lineColumns.map((name) => `${name} = excluded.${name}`).join(', ')}`;
