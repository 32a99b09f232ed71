import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import type { RuleContext } from '../../platform/http/request-part.ts';
import { toStorable } from '../../platform/http/storable-number.ts';
import { didYouMean } from '../../platform/http/unknown-name.ts';
import { compileValidator } from '../../platform/http/validation.ts';
import { fieldsByName } from '../../platform/search/field.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { UserError } from '../../platform/user-error.ts';
import {
  type InspectionRequest,
  InspectionRequestSchema,
  inspectionFactFields,
  inspectionIssues,
} from '../inspection/public.ts';
import { futureIssue } from '../telemetry/public.ts';
import {
  plausibilityOf,
  StatusSchema,
  type VehicleLine,
  VehicleLineSchema,
  vehicleIdIssue,
  vehicleValueFields,
} from '../vehicles/public.ts';

/** The dotted paths of a vehicle; the header of a file may also use unique bare names. */
export const vehicleCsvColumns = vehicleValueFields.map(({ path }) => path);

type Column = { path: string[]; type: string };

/** What a line may have: of the vehicle, and of its inspection. */
const lineFields = [...vehicleValueFields, ...inspectionFactFields];

/** What an empty cell does not clear: cleared, they would be the defaults, by which a vehicle is in service and tracked again. */
const switches = ['asset.active', 'information.trackGeolocation'];

const validate = compileValidator(VehicleLineSchema);
const validateInspection = compileValidator(InspectionRequestSchema);
const implausibleSignals = plausibilityOf(StatusSchema.properties);

type Implausible = { path: string; detail: string };

/** What is wrong with a line; a fault of the whole line has no column. */
export type Fault = { column?: string; detail: string };

export function parseHeader(names: (string | undefined)[]): Column[] {
  const known = fieldsByName(lineFields);
  const columns = names.map((name) => {
    const field = known.get(name?.trim() ?? '');
    if (!field) {
      throw new UserError(
        `line 1: "${name ?? '\uFFFD'}" is not a column: known are ${lineFields.map(({ path }) => path).join(', ')}.${didYouMean(name ?? '', known.keys())}`,
      );
    }
    return { path: field.path.split('.'), type: field.type };
  });
  const paths = columns.map(({ path }) => path.join('.'));
  const duplicate = paths.find((path, index) => paths.indexOf(path) !== index);
  if (duplicate) throw new UserError(`line 1: the column ${duplicate} stands there twice.`);
  if (!paths.includes('asset.id')) throw new UserError('line 1: the column asset.id is missing.');
  return columns;
}

/**
 * A vehicle, the facts of its inspection, its faults, the signals that are left out because they cannot be true, and the
 * columns whose empty cells clear nothing.
 */
type ParsedLine = {
  vehicle: VehicleLine;
  inspection: InspectionRequest;
  faults: Fault[];
  implausible: Implausible[];
  kept: string[];
};

/** Parses a line. An empty cell is an unknown value, and that of a switch says nothing. */
export function parseLine(
  columns: Column[],
  cells: (string | undefined)[],
  provider: ProviderRef,
  context: RuleContext,
): ParsedLine {
  const line = { asset: {}, information: {}, status: {}, inspection: {} };
  const { inspection, ...rest } = line;
  const vehicle = rest as VehicleLine;
  const faults: Fault[] = [];
  const kept: string[] = [];
  if (cells.length !== columns.length) {
    const detail = `has ${cells.length} cells where the header has ${columns.length}.`;
    faults.push({ detail });
    return { vehicle, inspection, faults, implausible: [], kept };
  }
  for (const [index, { path, type }] of columns.entries()) {
    const cell = cells[index];
    const column = path.join('.');
    if (cell === '') {
      if (switches.includes(column)) kept.push(column);
    } else if (cell === undefined) faults.push({ column, detail: `${column} is not valid UTF-8.` });
    else if (cell.includes('\0'))
      faults.push({ column, detail: `${column} must not contain NUL.` });
    else setAtPath(line, path, cellValue(cell, type));
  }
  faults.push(...validate(vehicle).map(toFault));
  const { id } = vehicle.asset;
  const idIssue = id === undefined ? undefined : vehicleIdIssue(id, provider);
  if (idIssue) faults.push({ column: 'asset.id', detail: idIssue });
  faults.push(...codeFaults(vehicle, provider));
  const invalid = validateInspection(inspection);
  const issues = invalid.length > 0 ? invalid : inspectionIssues(inspection, context);
  faults.push(
    ...issues.map(({ pointer, detail }) =>
      toFault({ pointer: `/inspection${pointer}`, detail: `inspection.${detail}` }),
    ),
  );
  if (faults.length === 0) faults.push(...timeFaults(vehicle, context));
  const implausible = faults.length > 0 ? [] : removeImplausible(vehicle);
  return { vehicle, inspection, faults, implausible, kept };
}

const toFault = ({ pointer, detail }: ValidationIssue): Fault => ({
  column: pointer.slice(1).replaceAll('/', '.'),
  detail,
});

/** A line that says to be of another asset provider than the one that is imported to. */
function codeFaults({ asset }: VehicleLine, { countryCode, code }: ProviderRef): Fault[] {
  const own = { assetProviderCountryCode: countryCode, assetProviderCode: code };
  return Object.entries(own)
    .filter(([name, value]) => (asset[name as keyof typeof own] ?? value) !== value)
    .map(([name, value]) => ({
      column: `asset.${name}`,
      detail: `asset.${name} must be ${JSON.stringify(value)}, or its cell be empty.`,
    }));
}

function timeFaults({ status }: VehicleLine, { now }: RuleContext): Fault[] {
  if (status.lastUpdated === undefined) return [];
  const time = Date.parse(toMilliseconds(status.lastUpdated));
  const column = 'status.lastUpdated';
  const detail = futureIssue(column, time, now.getTime());
  return detail === undefined ? [] : [{ column, detail }];
}

/** Removes the signals that cannot be true. */
function removeImplausible({ status }: VehicleLine): Implausible[] {
  return implausibleSignals(status).map(({ pointer, detail }) => {
    const name = pointer.slice(1);
    delete (status as Record<string, unknown>)[name];
    return { path: `status.${name}`, detail: `status.${detail}` };
  });
}

/**
 * A spreadsheet runs a cell that begins with one of these, in quotes or not; where it separates cells by semicolons, also what
 * follows one.
 */
const formula = '[\'"]*[=+\\-@＝＋－＠]';
const blank = "'*[\\t\\r\\n]";
const cellStart = '(?<=^|[;\\t\\r\\n])';
const unquoted = new RegExp(`${cellStart}(?=${formula})|^(?=${blank})`, 'g');
const quoted = new RegExp(`${cellStart}'(?=${formula})|^'(?=${blank})`, 'g');

/** Text as a cell that no spreadsheet takes for a formula. Quotes in front of one get another, so that import can tell. */
export function quoteFormula(text: string): string {
  return text.replace(unquoted, "'");
}

function unquoteFormula(cell: string): string {
  return cell.replace(quoted, '');
}

/** A value that cannot be converted stays text, so that validation reports it. */
function cellValue(cell: string, type: string): unknown {
  if (type === 'number')
    return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(cell.trim()) ? toStorable(Number(cell)) : cell;
  if (type === 'boolean') return cell === 'true' ? true : cell === 'false' ? false : cell;
  return unquoteFormula(cell);
}

function setAtPath(target: object, path: string[], value: unknown): void {
  let at = target as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) ?? ''] = value;
}
