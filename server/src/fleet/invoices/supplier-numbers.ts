import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { NewInvoice } from './invoice.ts';

/** 409 when the supplier has another invoice of this number; of two at once, the second waits for the first. */
export async function requireNewNumber(
  tx: Queryable,
  provider: ProviderRef,
  { number, supplier }: NewInvoice,
  ownId?: string,
): Promise<void> {
  if (number === undefined || supplier === undefined) return;
  await tx.query(lockNumber, [provider.id, number]);
  const [other] = await tx.query<{ id: string; status: string }>(selectSameNumber, [
    provider.id,
    number,
    ownId ?? null,
    supplier.vatId ?? null,
    supplier.taxNumber ?? null,
    supplier.name,
  ]);
  if (!other) return;
  throw new Problem(409, 'invoice-number-used', 'The supplier has used the number', {
    detail: `The invoice ${other.id} (${other.status}) has the number ${number} from the same supplier.`,
    errors: [
      { pointer: '/number', detail: `number must be new for the supplier; found ${number}.` },
    ],
  });
}

// Of PostgreSQL's own hashes a number could be chosen whose key is that of another lock, such as of a migration.
const lockNumber = `select pg_advisory_xact_lock(
  ('x' || left(encode(sha256(convert_to($1 || ' ' || normalized_text($2), 'UTF8')), 'hex'), 16))::bit(64)::bigint
)`;

const digits = (text: string) => `upper(regexp_replace(${text}, '[^A-Za-z0-9]', '', 'g'))`;
const same = (column: string, value: string) => `${digits(column)} = ${digits(value)}`;

// By the first of VAT id, tax number and name that both have.
const selectSameNumber = `
  select i.id, i.status from invoices i
  where i.provider = $1 and normalized_text(i.number) = normalized_text($2) and i.id is distinct from $3::uuid
    and case
      when i.supplier_vat_id is not null and $4::text is not null then ${same('i.supplier_vat_id', '$4::text')}
      when i.supplier_tax_number is not null and $5::text is not null then ${same('i.supplier_tax_number', '$5::text')}
      else normalized_text(i.supplier_name) = normalized_text($6)
    end
  limit 1`;
