import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../../platform/db/database.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import type { NewInvoice } from '../invoice.ts';
import type { ElectronicInvoice } from './electronic-invoice.ts';
import { hintsOfInvoice, hintsOfLine, type VehicleHints } from './vehicle-hints.ts';

const linesAtOnce = 50;

/** Links each line to the one vehicle that it names, or else the invoice does, by VIN or licence plate. */
export async function linkVehicles(
  tx: Queryable,
  provider: ProviderRef,
  source: ElectronicInvoice,
  invoice: NewInvoice,
): Promise<NewInvoice> {
  const ofInvoice = hintsOfInvoice(source);
  const ofLines: VehicleHints[] = [];
  for (const [index, line] of source.lines.filter(({ counted }) => counted).entries()) {
    ofLines.push(hintsOfLine(line));
    // Other requests run in between.
    if (index % linesAtOnce === linesAtOnce - 1) await setImmediate();
  }
  const found = await findVehicles(tx, provider.id, [ofInvoice, ...ofLines]);
  const common = vehicleOf(ofInvoice, found);
  const lines = invoice.lines.map((line, index) => {
    const own = ofLines[index];
    const vehicleId = (own && vehicleOf(own, found)) ?? common;
    return vehicleId === undefined ? line : { ...line, vehicleId };
  });
  return { ...invoice, lines };
}

export type FoundVehicles = { byVin: Map<string, Set<string>>; byPlate: Map<string, Set<string>> };

/** A VIN decides before a plate; of several vehicles, none is meant. */
export function vehicleOf(
  { vins, plates }: VehicleHints,
  found: FoundVehicles,
): string | undefined {
  return only(vins, found.byVin) ?? only(plates, found.byPlate);
}

function only(hints: Set<string>, found: Map<string, Set<string>>): string | undefined {
  const vehicles = new Set([...hints].flatMap((hint) => [...(found.get(hint) ?? [])]));
  return vehicles.size === 1 ? [...vehicles][0] : undefined;
}

export async function findVehicles(
  tx: Queryable,
  provider: string,
  hints: readonly VehicleHints[],
): Promise<FoundVehicles> {
  const vins = [...new Set(hints.flatMap((one) => [...one.vins]))];
  const plates = [...new Set(hints.flatMap((one) => [...one.plates]))];
  const found: FoundVehicles = { byVin: new Map(), byPlate: new Map() };
  if (vins.length === 0 && plates.length === 0) return found;
  const rows = await tx.query<Row>(selectVehicles, [provider, vins, plates]);
  // A plate goes on to the next vehicle when the one that had it is gone.
  const rowsByPlate = Map.groupBy(rows, ({ plate }) => plate);
  for (const row of rows) {
    if (row.vin !== null) add(found.byVin, row.vin, row.id);
    const sharesPlate = rowsByPlate.get(row.plate)?.some(({ active }) => active);
    if (row.plate !== null && (row.active || !sharesPlate)) add(found.byPlate, row.plate, row.id);
  }
  return found;
}

function add(map: Map<string, Set<string>>, key: string, id: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(id));
}

type Row = { id: string; active: boolean; vin: string | null; plate: string | null };

const compact = (column: string) => `upper(translate(${column}, ' -.·', ''))`;

const selectVehicles = `
  select v.id, v.active, ${compact('v.vin')} as vin, ${compact('v.license_plate')} as plate from vehicles v
  where v.provider = $1
    and (${compact('v.vin')} = any($2::text[]) or ${compact('v.license_plate')} = any($3::text[]))
  order by v.id limit 10000`;
