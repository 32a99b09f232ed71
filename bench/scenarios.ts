import { parseText, patternOf } from '../server/src/fleet/vehicles/search/text-search.ts';
import { vehicleFields } from '../server/src/fleet/vehicles/vehicle-fields.ts';
import { commonModels } from './data/models.ts';
import { vehicleAt, vehicleId } from './data/vehicles.ts';
import type { Environment } from './environment.ts';
import {
  accessOf,
  baseOf,
  chargedIds,
  incidentsOf,
  providerOf,
  rareTextsOf,
  sampleVehicles,
} from './fleet.ts';
import { incidentBody, incidentValues } from './incident-body.ts';
import type { Request } from './load/load.ts';
import { statements } from './statements.ts';
import { batchesOf, batchSize, columnsOf } from './telemetry.ts';

/** The minimal work for one answer: a statement, or a signature. */
export type Baseline = { text: string; values: unknown[][] } | 'signature';

export type Scenario = {
  name: string;
  /** Several, sent in rotation, so that caching one answer does not help. */
  requests(environment: Environment): Unsigned[];
  baseline(environment: Environment): Baseline;
  /** The content of a request, where that is counted instead of requests. */
  carries?: { count: number; unit: string };
  /** Whether it adds rows that slow down later reads. */
  fillsTables?: true;
  /** Throws unless the answer confirms the work, where its status alone does not. */
  requireDone?(answer: unknown): void;
  /** Whether all peers with the data must give equal answers. */
  isComparable: boolean;
};

/** A request without a token; `access` is the index of the provider whose token is added. */
export type Unsigned = Omit<Request, 'headers'> & { access?: number; type?: string };

const commonTexts = () => [...commonModels];
const inAnyPlace = (text: string) => [`%${text}%`];

export const scenarios: Scenario[] = [
  search('find: rare text, 25', 25, rareTextsOf, statements.findRareText, (text) => [
    ...(parseText(text, 'literal').trigrams ?? []),
    patternOf(text),
  ]),
  search('find: common text, 25', 25, commonTexts, statements.findCommonText, inAnyPlace),
  search('find: common text, 100', 100, commonTexts, statements.findCommonText, inAnyPlace),
  {
    name: 'find: by odometer, 25',
    requests: (environment) =>
      environment.accesses.map((_, access) =>
        post(environment, '/vehicles', access, {
          sorting: [{ field: 'status.odometer', direction: 'desc' }],
          pagination: { pageSize: 25 },
        }),
      ),
    baseline: (environment) => ({
      text: statements.findByOdometer,
      values: [[providerOf(environment), 25]],
    }),
    isComparable: true,
  },
  {
    name: 'charging history, 25 of 105',
    requests: (environment) =>
      chargedIds(environment).map((id) =>
        post(environment, `/${id}/charging`, 0, { pagination: { pageSize: 25 } }),
      ),
    baseline: (environment) => ({
      text: statements.chargingHistory,
      values: chargedIds(environment).map((id) => [providerOf(environment), id, 25]),
    }),
    isComparable: true,
  },
  {
    name: 'update an incident',
    requests: (environment) =>
      incidentsOf(environment).map(({ vehicle, id }, number) => ({
        ...post(environment, `/${vehicle}/incidents/${id}`, 0, incidentBody(number)),
        method: 'PUT',
      })),
    baseline: (environment) => ({
      text: statements.updateIncident,
      values: incidentsOf(environment).map(({ vehicle, id }, number) => [
        providerOf(environment),
        vehicle,
        id,
        ...incidentValues(number),
      ]),
    }),
    isComparable: true,
  },
  {
    name: 'read a vehicle and its status',
    requests: (environment) =>
      sampleVehicles(environment).map((index) => ({
        method: 'GET',
        path: `${baseOf(environment, accessOf(environment, index))}/${vehicleId(index, environment.idPrefix)}`,
        access: accessOf(environment, index),
      })),
    baseline: (environment) => ({
      text: statements.readVehicle,
      values: sampleVehicles(environment).map((index) => [
        providerOf(environment),
        vehicleId(index, environment.idPrefix),
      ]),
    }),
    isComparable: true,
  },
  {
    name: 'telemetry, batches of 500',
    requests: (environment) =>
      batchesOf(environment).map((messages) => post(environment, '/databox/messages', 0, messages)),
    baseline: (environment) => ({
      text: statements.telemetry,
      values: batchesOf(environment).map((messages) => [
        providerOf(environment),
        ...columnsOf(messages),
      ]),
    }),
    carries: { count: batchSize, unit: 'messages' },
    fillsTables: true,
    requireDone(answer) {
      const { counts } = answer as { counts: { accepted: number } };
      if (counts.accepted === batchSize) return;
      throw new Error(`Of ${batchSize} messages, ${counts.accepted} were accepted.`);
    },
    isComparable: false,
  },
  {
    name: 'token request',
    requests: (environment) => [tokenRequest(environment, 0)],
    baseline: () => 'signature',
    isComparable: false,
  },
];

export function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((one) => one.name === name);
  if (!scenario) throw new Error(`There is no scenario "${name}".`);
  return scenario;
}

/** Overwrites of vehicles with more seats, nearly all of which invalidate cached searches. */
export function vehicleWrites(environment: Environment): Unsigned[] {
  return [1, 2, 3, 4].flatMap((moreSeats) => writesOf(environment, moreSeats));
}

function writesOf(environment: Environment, moreSeats: number): Unsigned[] {
  return sampleVehicles(environment).map((index) => {
    const cells = vehicleAt(index, environment.idPrefix);
    const known = informationNames.flatMap((name) =>
      cells[name] === '' ? [] : [[name, cells[name]]],
    );
    return {
      ...post(environment, `/${cells.id}`, accessOf(environment, index), {
        asset: { active: cells.active },
        information: { ...Object.fromEntries(known), seats: Number(cells.seats) + moreSeats },
      }),
      method: 'PUT',
    };
  });
}

const informationNames = vehicleFields.flatMap(({ path }) =>
  path.startsWith('information.') ? path.slice('information.'.length) : [],
);

export function tokenRequest({ accesses }: Environment, number: number): Unsigned {
  const access = accesses[number];
  if (!access) throw new Error(`There is no access ${number}.`);
  return {
    method: 'POST',
    path: `/realms/${access.provider.id}/protocol/openid-connect/token`,
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: access.clientId,
      client_secret: access.clientSecret,
    }).toString(),
  };
}

function search(
  name: string,
  pageSize: number,
  textsOf: (environment: Environment) => string[],
  text: string,
  valuesOf: (text: string) => string[],
): Scenario {
  return {
    name,
    requests: (environment) =>
      textsOf(environment).map((searchText, number) =>
        post(environment, '/vehicles', number % environment.accesses.length, {
          searchText,
          pagination: { pageSize },
        }),
      ),
    baseline: (environment) => ({
      text,
      values: textsOf(environment).map((one) => [
        providerOf(environment),
        pageSize,
        ...valuesOf(one),
      ]),
    }),
    isComparable: true,
  };
}

function post(environment: Environment, path: string, access: number, body: unknown): Unsigned {
  return {
    method: 'POST',
    path: `${baseOf(environment, access)}${path}`,
    access,
    type: 'application/json',
    body: JSON.stringify(body),
  };
}
