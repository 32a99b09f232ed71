import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import process from 'node:process';

/** What the client promises, in any runtime; the service and the client are named by the environment. */

const { Motorpool, ProblemError, verifyWebhook } = await import(process.env.MOTORPOOL_CLIENT);
const fleet = new Motorpool({
  baseUrl: process.env.MOTORPOOL_URL,
  provider: 'DE/ABC',
  clientId: 'demo-client',
  clientSecret: 'demo-secret',
});

const ids = new Set();
for await (const { asset } of fleet.vehicles.find({ pagination: { pageSize: 7 } }))
  ids.add(asset.id);
const { pagination } = await fleet.vehicles.find().page();
assert.equal(ids.size, pagination.totalEntries);
const [vehicleId] = ids;

await assert.rejects(
  fleet.vehicles.get('DE*ABC*nowhere'),
  (error) => error instanceof ProblemError && error.status === 404,
);

// Events from before they happen, as a stream that stays open.
const { pagination: position } = await fleet.events
  .find({ pagination: { cursor: 'latest' } })
  .page();
const ending = new AbortController();
const stream = fleet.events.stream({
  types: ['incident.created.v1'],
  cursor: position.cursor,
  signal: ending.signal,
});
const received = stream.next();
const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };
const { id } = await fleet.incidents.create(vehicleId, incident);
const { value: event } = await received;
assert.equal(event.data.resource.title, incident.title);
const resumed = fleet.events.stream({ lastEventId: event.sequence, signal: ending.signal });
await fleet.incidents.create(vehicleId, { ...incident, title: 'Dent' });
assert.equal((await resumed.next()).value.data.resource.title, 'Dent');
ending.abort(new Error('enough'));
await assert.rejects(stream.next(), { message: 'enough' });

const bytes = crypto.getRandomValues(new Uint8Array(60_000));
const contents = {
  bytes: () => bytes,
  blob: () => new Blob([bytes]),
  stream: () => new Blob([bytes]).stream(),
};
for (const [name, content] of Object.entries(contents)) {
  const file = { filename: `${name}.bin`, contentType: 'application/octet-stream' };
  const { uuid } = await fleet.incidents.addFile(vehicleId, id, file, content());
  const download = await fleet.incidents.downloadFile(vehicleId, id, uuid);
  assert.deepEqual(new Uint8Array(await download.arrayBuffer()), bytes, name);
}

const key = crypto.getRandomValues(new Uint8Array(24));
const secret = `whsec_${btoa(String.fromCharCode(...key))}`;
const sentAt = String(Math.floor(Date.now() / 1_000));
const body = JSON.stringify(event);
const signature = createHmac('sha256', key)
  .update(`${event.id}.${sentAt}.${body}`)
  .digest('base64');
const headers = new Headers({
  'webhook-id': event.id,
  'webhook-timestamp': sentAt,
  'webhook-signature': `v1,${signature}`,
});
assert.equal((await verifyWebhook({ secret, headers, body })).id, event.id);
await assert.rejects(verifyWebhook({ secret, headers, body: `${body} ` }));
