import { createPublisher } from '../platform/events/publisher.ts';
import type { Operation } from '../platform/http/operation.ts';
import type { Job } from '../platform/jobs/job.ts';
import { administration } from './administration/index.ts';
import { assets } from './assets/index.ts';
import { audit } from './audit/index.ts';
import { charging } from './charging/index.ts';
import { checklist } from './checklist/index.ts';
import { customers } from './customers/index.ts';
import type { Dependencies, SubscriberContext } from './dependencies.ts';
import { drivers } from './drivers/index.ts';
import { eventLog } from './event-log/index.ts';
import type { Events } from './events.ts';
import { files } from './files/index.ts';
import { fileOperations } from './files/public.ts';
import { imports } from './imports/index.ts';
import { incidents } from './incidents/index.ts';
import { inspection } from './inspection/index.ts';
import { invoices } from './invoices/index.ts';
import { logbook } from './logbook/index.ts';
import { maintenance } from './maintenance/index.ts';
import type { Module } from './module.ts';
import { profile } from './profile/index.ts';
import { telemetry } from './telemetry/index.ts';
import { users } from './users/index.ts';
import { vehicles } from './vehicles/index.ts';
import { views } from './views/index.ts';
import { webhooks } from './webhooks/index.ts';

const recordModules: readonly Module[] = [
  profile,
  vehicles,
  telemetry,
  charging,
  inspection,
  maintenance,
  users,
  drivers,
  files,
  assets,
  incidents,
  logbook,
  checklist,
  invoices,
  views,
  administration,
  audit,
  imports,
];

const customersModule = customers(recordModules);

/** Every module. A module may use those before it; its subscribers run after theirs. */
export const modules: readonly Module[] = [
  ...recordModules,
  eventLog([...recordModules, customersModule]),
  webhooks([...recordModules, customersModule]),
  customersModule,
];

export const operations: readonly Operation<Dependencies>[] = modules.flatMap((module) => [
  ...module.operations,
  ...(module.files ? fileOperations(module.files) : []),
]);

export const tags = modules.flatMap(({ tag }) => tag ?? []);

export const metricsUpdates = modules.flatMap(({ updateMetrics }) => updateMetrics ?? []);
export const publicFiles = modules.flatMap(({ publicFiles = [] }) => publicFiles);

export const jobs: readonly Job<never, Dependencies>[] = modules.flatMap(({ jobs = [] }) => jobs);

export function createEvents(
  given: Pick<SubscriberContext, 'jobs' | 'clock' | 'settings'>,
): Events {
  return createPublisher(
    modules.flatMap(({ on }) => on ?? []),
    given,
  );
}
