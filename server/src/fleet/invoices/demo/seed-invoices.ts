import type { DemoContext } from '../../demo-context.ts';
import { completeInvoice } from '../calculation/complete-invoice.ts';
import type { InvoiceRequest } from '../invoice.ts';
import { insertInvoice } from '../invoice-store.ts';
import { demoInvoices } from './invoices.ts';
import { seedElectronicInvoice } from './seed-electronic-invoice.ts';

export async function seedInvoices(context: DemoContext): Promise<void> {
  const { tx, provider, clock } = context;
  const sessions = await sessionsByDay(context);
  for (const request of demoInvoices(context)) {
    const linked = linkSessions(request, sessions);
    const { status = 'open', issueDate } = linked;
    const { invoice } = await completeInvoice(linked, { currency: 'EUR', status });
    const recordedAt = issueDate === undefined ? clock.now() : new Date(`${issueDate}T05:00:00Z`);
    await insertInvoice(tx, provider, invoice, recordedAt);
  }
  await seedElectronicInvoice(context);
}

const dayOf = (vehicleId: string | undefined, date: string | undefined) => `${vehicleId} ${date}`;

/** The charging sessions that have a day to themselves, which the receipt of that day is for. */
async function sessionsByDay({ tx, provider }: DemoContext): Promise<Map<string, string>> {
  const rows = await tx.query<{ vehicle_id: string; date: string; id: string }>(
    `select vehicle_id, (from_time at time zone 'UTC')::date as date, min(id) as id from charging_sessions
     where provider = $1 and not superseded group by 1, 2 having count(*) = 1`,
    [provider.id],
  );
  return new Map(rows.map(({ vehicle_id, date, id }) => [dayOf(vehicle_id, date), id]));
}

function linkSessions(
  request: InvoiceRequest,
  sessions: ReadonlyMap<string, string>,
): InvoiceRequest {
  const lines = request.lines?.map((line) => {
    const session = sessions.get(dayOf(line.vehicleId, line.servicePeriod?.from));
    return line.kind === 'energy' && session ? { ...line, chargingSessionId: session } : line;
  });
  return { ...request, ...(lines && { lines }) };
}
