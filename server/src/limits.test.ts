import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maxClients } from './auth/clients.ts';
import { maxParameters } from './auth/form-parameters.ts';
import { maxFormBytes } from './auth/given-request.ts';
import { tokenLifetimeSeconds } from './auth/keys.ts';
import { listSettings } from './config.ts';
import { imageLimitBytes } from './fleet/assets/vehicle-image.ts';
import { maxEntriesOfVehicle } from './fleet/checklist/checklist-entry.ts';
import {
  maxListeners,
  maxListenersOfClient,
  maxListenersOfProvider,
  reservedListeners,
} from './fleet/event-log/event-streams.ts';
import { maxFiles } from './fleet/files/blob.ts';
import { operations } from './fleet/index.ts';
import { maxInvoiceBytes } from './fleet/invoices/documents/fit-descriptions.ts';
import { xmlBounds } from './fleet/invoices/documents/parse-xml.ts';
import { maxElementsOfPart } from './fleet/invoices/documents/read-xml-invoice.ts';
import { maxReportsOfVehicle } from './fleet/maintenance/maintenance-report.ts';
import { maxSchedules } from './fleet/maintenance/maintenance-schedule.ts';
import { connectionCost, messageBytes, sendsPerSecond } from './fleet/webhooks/deliver-webhooks.ts';
import { deliveryTimeoutMs } from './fleet/webhooks/delivery-message.ts';
import { maxWebhooks } from './fleet/webhooks/webhook-store.ts';
import { workloads } from './platform/db/workload.ts';
import { maxMessageBytes } from './platform/http/batch.ts';
import { guidesFolder } from './platform/http/guides.ts';
import { maxHeaderBytes } from './platform/http/header-limit.ts';
import { maxKeyLength } from './platform/http/idempotency/idempotency-key.ts';
import { maxAnswerBytes } from './platform/http/large-json.ts';
import { pendingBatches } from './platform/http/pending-batches.ts';
import { shareOfClient } from './platform/http/principal.ts';
import { bodyLimitBytes, defaultTimeouts } from './platform/http/server.ts';
import { defaultPageSize, searchLimits } from './platform/search/limits.ts';
import { retryPeriodMs } from './platform/webhooks/retry-schedule.ts';
import { encryptionMsPerSecond } from './platform/webhooks/work-meter.ts';

const count = (value: number) => value.toLocaleString('en');
const size = (bytes: number) =>
  bytes >= 1_048_576 ? `${bytes / 1_048_576} MiB` : `${bytes / 1_024} KiB`;
const seconds = (ms: number) => `${ms / 1_000} s`;
const minutes = (ms: number) => `${ms / 60_000} min`;
const hours = (ms: number) => `${ms / 3_600_000} h`;
const days = (value: number) => `${count(value)} days`;

const defaults = new Map(listSettings().map((setting) => [setting.name, setting.default]));
function set(name: string, show: (value: number) => string) {
  expect(defaults.get(name), name).toBeDefined();
  return `${show(Number(defaults.get(name)))} | \`${name}\``;
}
const fixed = (value: string) => `${value} |`;

const batch = operations.find(({ id }) => id === 'sendDataboxMessages')?.batch;

const rows = {
  'requests of a client a second': set('LIMIT_CLIENT_RATE', count),
  'requests of a client at a time': set('LIMIT_CLIENT_CONCURRENCY', count),
  'requests of an asset provider a second': set('LIMIT_PROVIDER_RATE', count),
  'requests of an asset provider at a time': set('LIMIT_PROVIDER_CONCURRENCY', count),
  'streams of events of an asset provider': fixed(count(maxListenersOfProvider)),
  'streams of events of a client': fixed(count(maxListenersOfClient)),
  'streams of events of a process': fixed(count(maxListeners)),
  'streams of events of an asset provider beyond that': fixed(count(reservedListeners)),
  'request line and headers': fixed(size(maxHeaderBytes)),
  'body of a request': [fixed(size(bodyLimitBytes)), fixed(seconds(defaultTimeouts.bodyMs))],
  'body of a search': fixed(size(searchLimits.bodyBytes)),
  'batch of telemetry': fixed(
    `${count(batch?.maxMessages ?? 0)} messages in ${size(batch?.maxBytes ?? 0)}`,
  ),
  'a message of telemetry': fixed(size(maxMessageBytes)),
  'batches of an asset provider at a time': fixed(size(pendingBatches.ofProvider)),
  'batches of a client at a time': fixed(size(pendingBatches.ofProvider * shareOfClient)),
  'batches of a process at a time': fixed(size(pendingBatches.ofProcess)),
  'batches of an asset provider beyond that': fixed(size(pendingBatches.reserved)),
  'form of a request for a token, or about one': fixed(size(maxFormBytes)),
  'parameters of an address or a form of the authorization server': fixed(count(maxParameters)),
  'uploaded file': set('UPLOAD_LIMIT_BYTES', size),
  'image of a vehicle': fixed(size(imageLimitBytes)),
  'elements of an electronic invoice': fixed(count(xmlBounds.elements)),
  'elements of a line of an electronic invoice, and outside of its lines': fixed(
    count(maxElementsOfPart),
  ),
  'invoice made of a document, as JSON': fixed(size(maxInvoiceBytes)),
  'files of a record': fixed(count(maxFiles)),
  'checklist entries of a vehicle': fixed(count(maxEntriesOfVehicle)),
  'open maintenance reports of a vehicle, planned by hand': fixed(count(maxReportsOfVehicle)),
  'answer of a list or a search': fixed(size(maxAnswerBytes)),
  'webhooks of an asset provider': fixed(count(maxWebhooks)),
  'messages to the webhooks of an asset provider, for each process': fixed(
    `${sendsPerSecond} a second; ${sendsPerSecond / (1 + connectionCost)} where every message needs a new connection; every ${size(messageBytes)} of a larger one count as one more`,
  ),
  'encryption of the connections to the webhooks of an asset provider, for each process': fixed(
    `${encryptionMsPerSecond} ms of a second`,
  ),
  'maintenance schedules of an asset provider': fixed(count(maxSchedules)),
  'clients of an asset provider': fixed(count(maxClients)),
  'length of an `Idempotency-Key`': fixed(count(maxKeyLength)),
  '`pageSize`': fixed(`1 to ${count(searchLimits.pageSize)}, ${defaultPageSize} when left out`),
  filters: fixed(count(searchLimits.filters)),
  'values of one filter': fixed(count(searchLimits.values)),
  'values of all filters': fixed(count(searchLimits.valuesOfAllFilters)),
  'fields to sort by': fixed(count(searchLimits.sorting)),
  'length of `searchText`': fixed(count(searchLimits.searchTextLength)),
  'life of a token': fixed(minutes(tokenLifetimeSeconds * 1_000)),
  'a statement in the database': set('STATEMENT_TIMEOUT_MS', seconds),
  'a statement of a search or a list': fixed(seconds(workloads.search.statementTimeoutMs)),
  'headers of a request': fixed(seconds(defaultTimeouts.headersMs)),
  upload: fixed(minutes(defaultTimeouts.requestMs)),
  'idle connection': fixed(seconds(defaultTimeouts.idleMs)),
  'answer of the receiver of a webhook': fixed(seconds(deliveryTimeoutMs)),
  'a webhook is tried again for': fixed(hours(retryPeriodMs)),
  events: set('EVENTS_RETENTION_DAYS', days),
  'history of odometer, level and position': set('HISTORY_DAYS', days),
  'audit trail': set('AUDIT_RETENTION_DAYS', days),
  'answers under an `Idempotency-Key`': fixed('24 h'),
};

test('the page of limits has the values of the code', () => {
  const page = readFileSync(join(guidesFolder(), 'limits.md'), 'utf8');
  const shown = page.split('\n').filter((line) => /^\| (?!limit|what|---)/.test(line));
  const expected = Object.entries(rows).flatMap(([name, values]) =>
    [values].flat().map((value) => `| ${name} | ${value} |`),
  );
  expect(shown.sort()).toEqual(expected.sort());
});
