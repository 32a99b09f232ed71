import { Readable } from 'node:stream';
import type { Customer } from '../fleet/users/public.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { DemoFile } from './files.ts';
import { insertRows, type Row } from './insert-rows.ts';
import type { Records } from './records.ts';

/** Writes all records of a provider, in a statement a table; the bytes are stored before. */
export async function writeRecords(
  tx: Queryable,
  provider: string,
  { drivers, logbook, template, checklist, incidents, files }: Records,
  now: Date,
): Promise<void> {
  const insert = (table: string, rows: Row[]) =>
    insertRows(
      tx,
      table,
      rows.map((row) => ({ provider, ...row })),
    );
  await insert(
    'drivers',
    drivers.map(({ vehicleId, customer, addedAt }) => ({
      vehicle_id: vehicleId,
      ...customerRow(customer),
      added_at: addedAt,
    })),
  );
  await insert(
    'logbook_entries',
    logbook.map(
      ({ vehicleId, thing: { customer, cost, tags, createdAt, updatedAt, ...rest } }) => ({
        vehicle_id: vehicleId,
        ...rest,
        cost_amount: cost?.amount,
        cost_currency: cost?.currency,
        ...customerRow(customer),
        tags: tags ?? [],
        created_at: createdAt,
        updated_at: updatedAt,
      }),
    ),
  );
  await insert('checklist_templates', [{ ...template, created_at: now, updated_at: now }]);
  await insert(
    'checklist_entries',
    checklist.map(
      (
        { vehicleId, thing: { customer, performedAt, dueDate, createdAt, updatedAt, ...rest } },
        ordinal,
      ) => ({
        vehicle_id: vehicleId,
        ordinal,
        ...rest,
        ...customerRow(customer),
        performed_at: performedAt,
        due_date: dueDate,
        created_at: createdAt,
        updated_at: updatedAt,
      }),
    ),
  );
  await insert('incidents', incidents.map(incidentRow));
  await insert(
    'stored_objects',
    files.map((file) => ({ key: keyOf(provider, file), created_at: now })),
  );
  await insert(
    'blobs',
    files.map((file) => ({
      vehicle_id: file.vehicleId,
      owner: file.owner,
      entry_id: file.entryId,
      uuid: file.uuid,
      filename: file.filename,
      content_type: file.contentType,
      created_at: file.uploadedAt,
      object_key: keyOf(provider, file),
      size: file.bytes.length,
      uploaded_at: file.uploadedAt,
    })),
  );
}

function customerRow(customer: Customer | undefined): Row {
  return {
    customer_country_code: customer?.mobilityProviderCountryCode,
    customer_provider_code: customer?.mobilityProviderCode,
    customer_id: customer?.customerId,
  };
}

function incidentRow({ vehicleId, thing }: Records['incidents'][number]): Row {
  return {
    vehicle_id: vehicleId,
    id: thing.id,
    ocr_status: thing.ocrStatus,
    title: thing.title,
    ...customerRow(thing.customer),
    vehicle_operable: thing.vehicleOperable,
    incident_timestamp: thing.incidentTimestamp,
    report_timestamp: thing.reportTimestamp,
    location: thing.location,
    incident_type: thing.incidentType,
    cause: thing.cause,
    notes: thing.notes,
    description: thing.description,
    is_resolved: thing.isResolved,
    damages: thing.damages,
  };
}

const atOnce = 16;

/** Stores the bytes of the files. A start that was cut short is made good by the next one. */
export async function storeFiles(
  blobs: BlobStore,
  provider: string,
  files: readonly DemoFile[],
): Promise<void> {
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const key = keyOf(provider, file);
      const { bytes } = file;
      const put = () => blobs.put(key, Readable.from([bytes]));
      await put().catch(async () => {
        // What a killed start has left stands in the way once.
        await blobs.delete(key);
        await put();
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The same at every start, so that none leaves bytes that nobody knows of. */
function keyOf(provider: string, { uuid }: DemoFile): string {
  return `${provider}/demo/${uuid}`;
}
