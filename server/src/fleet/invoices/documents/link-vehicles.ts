import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../../platform/db/database.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import type { NewInvoice } from '../invoice.ts';
import { documentPace } from './document-pace.ts';
import type { ElectronicInvoice } from './electronic-invoice.ts';
import { hintsOfInvoice, hintsOfLine, type VehicleHints } from './vehicle-hints.ts';

const linesAtOnce = { read: 5, linked: 50 };
/** Of all lines together: more than those of the longest invoice name, and few enough to look up. */
export const maxNames = 20_000;

type DocumentHints = { ofInvoice: VehicleHints; ofLines: VehicleHints[] };

/** What an electronic invoice and its lines say of vehicles. */
export async function documentHints(source: ElectronicInvoice): Promise<DocumentHints> {
  const endSlice = documentPace.begin();
  const ofLines: VehicleHints[] = [];
  for (const line of source.lines.filter(({ counted }) => counted)) {
    ofLines.push(hintsOfLine(line));
    // Other requests run in between.
    if (ofLines.length % linesAtOnce.read === 0) await endSlice();
  }
  return { ofInvoice: hintsOfInvoice(source), ofLines };
}

/** Links each line to the one vehicle that it names, or else the invoice does, by VIN or licence plate. */
export async function linkVehicles(
  tx: Queryable,
  provider: ProviderRef,
  { ofInvoice, ofLines }: DocumentHints,
  invoice: NewInvoice,
): Promise<NewInvoice> {
  const found = await findVehicles(tx, provider.id, [ofInvoice, ...ofLines]);
  const common = vehicleOf(ofInvoice, found);
  const lines: NewInvoice['lines'] = [];
  for (const [index, line] of invoice.lines.entries()) {
    const own = ofLines[index];
    const vehicleId = (own && vehicleOf(own, found)) ?? common;
    lines.push(vehicleId === undefined ? line : { ...line, vehicleId });
    if (lines.length % linesAtOnce.linked === 0) await setImmediate();
  }
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
  const vins = namesOf(hints.map((one) => one.vins));
  const plates = namesOf(hints.map((one) => one.plates));
  const found: FoundVehicles = { byVin: new Map(), byPlate: new Map() };
  if (vins.length === 0 && plates.length === 0) return found;
  const rows = await tx.query<Row>(selectVehicles, [provider, vins, plates]);
  // A plate goes on to the next vehicle when the one that had it is gone.
  const driven = rows.filter(({ active }) => active);
  const plateIsDriven = new Set(driven.map(({ plate }) => plate));
  for (const { id, vin, plate, active } of rows) {
    if (vin !== null) add(found.byVin, vin, id);
    if (plate !== null && (active || !plateIsDriven.has(plate))) add(found.byPlate, plate, id);
  }
  return found;
}

/** What is behind the first names of a flood of them is not looked up. */
function namesOf(hints: readonly Set<string>[]): string[] {
  const names = new Set<string>();
  for (const ofLine of hints)
    for (const name of ofLine) {
      if (names.size === maxNames) return [...names];
      names.add(name);
    }
  return [...names];
}

/** Two of a name are as good as all: then none is meant. */
function add(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key) ?? new Set();
  if (ids.size < 2) map.set(key, ids.add(id));
}

type Row = { id: string; active: boolean; vin: string | null; plate: string | null };

const compact = (column: string) => `upper(translate(${column}, ' -.·', ''))`;

const selectVehicles = `
  select v.id, v.active, ${compact('v.vin')} as vin, ${compact('v.license_plate')} as plate from vehicles v
  where v.provider = $1
    and (${compact('v.vin')} in (select unnest($2::text[])) or ${compact('v.license_plate')} in (select unnest($3::text[])))
  order by v.id limit 10000`;
