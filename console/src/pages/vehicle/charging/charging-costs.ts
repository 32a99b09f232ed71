import type { ChargingSession, Invoice, LogbookEntry } from '@motorpool/client';
import { minorOf } from '../../../formats/currency.ts';

/** What charging cost in a month by one tariff, in the minor unit. */
export type TariffCost = { month: string; tariff: string; amount: number; kwh: number };

type Sources = {
  vehicleId: string;
  sessions: readonly ChargingSession[];
  invoices: readonly Invoice[];
  entries: readonly LogbookEntry[];
  currency: string;
  /** The default price of a kWh; without one, what nobody has billed has no cost. */
  pricePerKwh: number | undefined;
  names: { logbook: string; standard: string };
};

/** Invoiced by supplier, paid by the logbook, and the rest by the default tariff. */
export function chargingCosts(sources: Sources): TariffCost[] {
  const { vehicleId, sessions, invoices, entries, currency, pricePerKwh, names } = sources;
  const costs: TariffCost[] = [];
  const billedSessions = new Set<string>();
  const billedEntries = new Set<string>();
  const paidDays = new Set<string>();
  for (const invoice of invoices) {
    if (invoice.currency !== currency) continue;
    if (invoice.status === 'draft' || invoice.status === 'cancelled') continue;
    // A credit note lessens the costs and charges nothing, as the service has it.
    const isCharge = invoice.type === 'invoice';
    const sign = isCharge ? 1 : -1;
    for (const line of invoice.lines) {
      if (line.vehicleId !== vehicleId || line.kind !== 'energy') continue;
      if (isCharge && line.chargingSessionId) billedSessions.add(line.chargingSessionId);
      if (isCharge && line.logbookEntryId) billedEntries.add(line.logbookEntryId);
      const day = line.servicePeriod?.from ?? invoice.serviceDate ?? invoice.issueDate ?? '';
      costs.push({
        month: day.slice(0, 7),
        tariff: invoice.supplier?.name ?? names.logbook,
        amount: sign * line.netAmount * (1 + Number(line.vatRate ?? 0) / 100),
        kwh: line.unit === 'KWH' ? Number(line.quantity) : 0,
      });
    }
  }
  for (const { id, date, cost, category } of entries) {
    if (category !== 'charging' || cost?.currency !== currency || billedEntries.has(id)) continue;
    paidDays.add(date);
    costs.push({ month: date.slice(0, 7), tariff: names.logbook, amount: cost.amount, kwh: 0 });
  }
  if (pricePerKwh === undefined) return costs;
  for (const { id, fromDatetime, chargedKWh = 0 } of sessions) {
    const day = fromDatetime.slice(0, 10);
    if (billedSessions.has(id) || paidDays.has(day) || chargedKWh === 0) continue;
    const amount = minorOf(chargedKWh * pricePerKwh, currency);
    costs.push({ month: day.slice(0, 7), tariff: names.standard, amount, kwh: chargedKWh });
  }
  return costs;
}

/** The sum of a value for each month and name. */
export function sumsOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => { month: string; name: string; value: number },
): Map<string, Record<string, number>> {
  const months = new Map<string, Record<string, number>>();
  for (const item of items) {
    const { month, name, value } = keyOf(item);
    const values = months.get(month) ?? {};
    values[name] = (values[name] ?? 0) + value;
    months.set(month, values);
  }
  return months;
}
