import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Session } from '../platform/db/session.ts';
import { acceptedMutants } from '../testing/contract/accepted-mutants.ts';
import {
  type ContractData,
  seedContractData,
  type World,
} from '../testing/contract/contract-data.ts';
import { fleetJobs } from '../testing/contract/fleet-jobs.ts';
import {
  foreignValues,
  type Outcome,
  observeJob,
  observeRequest,
} from '../testing/contract/observer.ts';
import {
  conditionsIn,
  providerConditions,
  withoutCondition,
} from '../testing/contract/provider-conditions.ts';
import { providers, requestsOf } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/**
 * Each condition on the provider is dropped, one at a time, and the observations of the contract tests that run
 * its statement are made again: one of them must come out differently.
 */

type Observation = {
  alone: Outcome;
  conditions: Set<string>;
  make(world: World): Promise<Outcome>;
};

let service: TestService;
let data: ContractData;
const observations: Observation[] = [];
let seen = new Set<string>();
let dropped: string | undefined;

const { execute } = Session.prototype;
Session.prototype.execute = function (query) {
  for (const id of conditionsIn(query.text)) seen.add(id);
  if (dropped === undefined || !query.text.includes(`/*${dropped}*/`))
    return execute.call(this, query) as Promise<never>;
  const name = query.name && `${query.name}-${dropped}`;
  return execute.call(this, {
    ...query,
    name,
    text: withoutCondition(query.text, dropped),
  }) as Promise<never>;
};

beforeAll(async () => {
  service = await startTestService();
  const seeds = await loadSeeds();
  data = await seedContractData(service, seeds, providers['DE-ABC']);
  const makers = [
    ...operations.flatMap((operation) => {
      const requests = requestsOf(operation, seeds);
      const foreign = foreignValues(operation, data).map((values) => ({ ...requests[0], values }));
      return [...foreign, ...requests].map(
        (request) => (world: World) => observeRequest(service, data, world, operation, request),
      );
    }),
    ...fleetJobs.map((job) => (world: World) => observeJob(service, data, world, job)),
  ];
  for (const make of makers)
    observations.push({ make, conditions: new Set(), alone: await make('alone') });
  for (const observation of observations) {
    seen = observation.conditions;
    expect(await isSame(observation, 'shared')).toBe(true);
  }
}, 600_000);
afterAll(() => service.stop());

describe.each(providerConditions())('fleet/$file:$line $text', ({ id, file, text }) => {
  const accepted = acceptedMutants.find((one) => one.file === file && text.includes(one.text));

  afterEach(() => {
    dropped = undefined;
  });

  test(accepted ? `survives: ${accepted.reason}` : 'is killed', async () => {
    const reaching = observations.filter(({ conditions }) => conditions.has(id));
    seen = new Set();
    dropped = id;
    // Nothing is answered from what was remembered before.
    data.renew();
    const killer = await firstToDiffer(reaching);
    // What a job could not do must not be done in the next observation.
    if (killer) await service.db.query('delete from pgboss.job');
    // A statement that is no SQL any more would prove nothing: it works as long as nobody else has records.
    expect(!killer || (await isSame(killer, 'alone')), 'it is SQL').toBe(true);
    expect(killer !== undefined, `${reaching.length} observations reach it`).toBe(!accepted);
  });
});

async function firstToDiffer(made: readonly Observation[]): Promise<Observation | undefined> {
  for (const observation of made) {
    if (!(await isSame(observation, 'shared'))) return observation;
  }
  return undefined;
}

async function isSame({ alone, make }: Observation, world: World): Promise<boolean> {
  try {
    const { response, own } = await make(world);
    return isDeepStrictEqual(response, alone.response) && isDeepStrictEqual(own, alone.own);
  } catch {
    return false;
  }
}
