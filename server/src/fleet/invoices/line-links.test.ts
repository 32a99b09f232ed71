import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockTable } from '../../testing/lock-table.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleNewInvoice, exampleRequest } from './invoice-examples.ts';

let service: TestService;
const vehicleId = 'DE*ABC*T0000';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from invoices');
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});

const lines = exampleRequest.lines.map((line) => ({ ...line, vehicleId }));

function create(body: object) {
  return service.call('POST', '/invoices', { ...exampleRequest, ...body });
}

const pathOf = ({ json }: { json: { id: string } }) => `/invoices/${json.id}`;

type Issue = { pointer: string };

/** One record of each kind that a line can be linked to. */
async function makeRecords() {
  const call = async (path: string, body: object) =>
    (await service.call('POST', `/${vehicleId}/${path}`, body)).json.id;
  const session = {
    fromDatetime: '2026-10-01T10:00:00Z',
    toDatetime: '2026-10-01T11:00:00Z',
    chargedKWh: 20,
  };
  const put = await service.call('PUT', `/${vehicleId}/charging/session-1`, session);
  expect(put.status).toBeLessThan(300);
  return {
    chargingSessionId: 'session-1',
    maintenanceReportId: await call('maintenance', {
      title: 'Oil',
      type: 'service',
      dueDate: '2027-01-01',
    }),
    logbookEntryId: await call('logbook', { date: '2026-10-28', title: 'Washed' }),
    incidentId: await call('incidents', {
      title: 'Scratch',
      vehicleOperable: true,
      isResolved: false,
    }),
  };
}

test('a line is linked to records of its vehicle; a link is cleared when its record is deleted, and the line stays', async () => {
  const links = await makeRecords();
  const made = await create({ lines: [{ ...lines[0], ...links }] });
  expect(made.json.lines[0]).toMatchObject({ vehicleId, ...links });
  const link = async () => (await service.call('GET', pathOf(made))).json.lines[0];
  const paths = {
    chargingSessionId: 'charging/session-1',
    maintenanceReportId: `maintenance/${links.maintenanceReportId}`,
    logbookEntryId: `logbook/${links.logbookEntryId}`,
    incidentId: `incidents/${links.incidentId}`,
  };
  const left: Record<string, unknown> = { vehicleId, ...links };
  for (const [name, path] of Object.entries(paths)) {
    expect((await service.call('DELETE', `/${vehicleId}/${path}`)).status).toBe(204);
    delete left[name];
    const line = await link();
    expect(line).toMatchObject(left);
    expect(line).not.toHaveProperty(name);
  }
});

test('the lines of a deleted vehicle stay, without a link', async () => {
  const links = await makeRecords();
  const made = await create({ lines: [{ ...lines[0], ...links }, lines[1]] });
  expect((await service.call('DELETE', `/${vehicleId}`)).status).toBe(204);
  const { json } = await service.call('GET', pathOf(made));
  expect(json.totals).toEqual(made.json.totals);
  for (const line of json.lines)
    for (const name of ['vehicleId', ...Object.keys(links)]) expect(line).not.toHaveProperty(name);
});

test('a link to what does not exist, is of another vehicle or another provider is 404 with its place', async () => {
  const links = await makeRecords();
  const pointers = async (line: object) => {
    const { status, json } = await create({
      lines: [lines[0], { ...lines[1], ...line }],
    });
    return [status, ...json.errors.map(({ pointer }: Issue) => pointer)];
  };
  expect(await pointers({ vehicleId: 'DE*ABC*NONE' })).toEqual([404, '/lines/1/vehicleId']);
  expect(await pointers({ vehicleId: 'FR*XYZ*T0000' })).toEqual([404, '/lines/1/vehicleId']);
  for (const [name, id] of Object.entries(links)) {
    expect(await pointers({ vehicleId: 'DE*ABC*T0007', [name]: id })).toEqual([
      404,
      `/lines/1/${name}`,
    ]);
    const unknown = name === 'chargingSessionId' ? 'none' : exampleNewInvoice.id;
    expect(await pointers({ [name]: unknown })).toEqual([404, `/lines/1/${name}`]);
  }
  expect((await service.db.query('select 1 from invoices')).length).toBe(0);
});

test('an invoice is put back as it was read when a linked record has been withdrawn or superseded; a new link to it is 404', async () => {
  const { chargingSessionId, maintenanceReportId } = await makeRecords();
  const links = { chargingSessionId, maintenanceReportId };
  const made = await create({ lines: [{ ...lines[0], ...links }] });
  await service.db.query('update charging_sessions set superseded = true where vehicle_id = $1', [
    vehicleId,
  ]);
  await service.db.query('update maintenance_reports set withdrawn = true where id = $1', [
    maintenanceReportId,
  ]);
  const { json } = await service.call('GET', pathOf(made));
  const put = await service.call('PUT', pathOf(made), { ...json, status: 'approved' });
  expect([put.status, put.json.lines]).toEqual([200, json.lines]);
  const other = await create({ number: 'RE-2', lines: [lines[0]] });
  for (const [name, id] of Object.entries(links)) {
    const line = { ...lines[0], [name]: id };
    for (const answer of [
      await create({ number: 'RE-3', lines: [line] }),
      await service.call('PUT', pathOf(other), {
        ...exampleRequest,
        number: 'RE-2',
        lines: [line],
      }),
    ]) {
      const pointers = answer.json.errors.map(({ pointer }: Issue) => pointer);
      expect([answer.status, ...pointers]).toEqual([404, `/lines/0/${name}`]);
    }
  }
});

test('maintenance is completed while an invoice that charges it is overwritten: neither keeps the other from it', async () => {
  const { maintenanceReportId } = await makeRecords();
  const made = await create({ lines: [{ ...lines[0], maintenanceReportId }] });
  let completed: Promise<{ status: number }> | undefined;
  await service.db.transaction(async (tx) => {
    const values = ['DE-ABC', made.json.id];
    await tx.query(
      'select from invoices where provider = $1 and id = $2 for no key update',
      values,
    );
    const path = `/${vehicleId}/maintenance/${maintenanceReportId}/done`;
    completed = service.call('POST', path, {
      date: '2026-10-28',
      cost: { amount: 100, currency: 'EUR' },
    });
    await expect.poll(() => lockWaits(service.db)).toBeGreaterThan(0);
    await tx.query(
      `update invoice_lines set text = 'New' where provider = $1 and invoice_id = $2`,
      values,
    );
  });
  expect((await completed)?.status).toBe(204);
  const { text, logbookEntryId } = (await service.call('GET', pathOf(made))).json.lines[0];
  expect([text, logbookEntryId]).toEqual(['New', expect.any(String)]);
});

describe('maintenance that is completed in another transaction at the same time is linked', () => {
  const invoice = (line: object) => ({ ...exampleRequest, lines: [{ ...lines[0], ...line }] });
  const waits = (count: number) =>
    expect.poll(() => lockWaits(service.db)).toBeGreaterThanOrEqual(count);

  test.each([
    ['to a new invoice', 'POST', 'completed first'],
    ['to a new invoice', 'POST', 'charged first'],
    ['to an invoice that is overwritten', 'PUT', 'completed first'],
    ['to an invoice that is overwritten', 'PUT', 'charged first'],
  ])('%s (%s), %s', async (_, method, order) => {
    const { maintenanceReportId } = await makeRecords();
    const path = method === 'POST' ? '/invoices' : pathOf(await create(invoice({})));
    const complete = () =>
      service.call('POST', `/${vehicleId}/maintenance/${maintenanceReportId}/done`, {
        date: '2026-10-28',
        cost: { amount: 100, currency: 'EUR' },
      });
    const charge = () => service.call(method, path, invoice({ maintenanceReportId }));
    const [first, second] = order === 'completed first' ? [complete, charge] : [charge, complete];
    // Whatever is committed writes its events there.
    const unlock = await lockTable(service.db, 'event_outbox');
    const answers = [first()];
    await waits(1);
    answers.push(second());
    await waits(2);
    await unlock();
    for (const { status } of await Promise.all(answers)) expect(status).toBeLessThan(300);
    const { items } = (await service.call('POST', '/invoices/search', {})).json;
    expect(items).toMatchObject([
      { lines: [{ maintenanceReportId, logbookEntryId: expect.any(String) }] },
    ]);
  });
});

describe('a line that is linked to a detected charging session', () => {
  const car = 'DE*ABC*LINKED';
  const hour = 3_600_000;
  const start = Math.floor(Date.now() / hour) * hour - 48 * hour;
  const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();

  beforeEach(async () => {
    await service.call('DELETE', `/${car}`);
    await service.call('PUT', `/${car}`, { information: { evBatteryCapacity: 50 } });
  });

  async function send(...messages: [minutes: number, isCharging: boolean, fuelLevel?: number][]) {
    const body = messages.map(([minutes, isCharging, fuelLevel]) => ({
      vehicleId: car,
      timestamp: at(minutes),
      isCharging,
      ...(fuelLevel !== undefined && { fuelLevel }),
    }));
    expect((await service.call('POST', '/databox/messages', body)).status).toBe(200);
  }
  /** From the oldest on. */
  async function sessions() {
    const { items } = (await service.call('POST', `/${car}/charging`)).json;
    return items.toReversed();
  }
  const linkTo = (...linked: { id: string }[]) =>
    create({
      lines: linked.map(({ id }) => ({ ...lines[0], vehicleId: car, chargingSessionId: id })),
    });
  async function expectUnchanged(made: Awaited<ReturnType<typeof create>>) {
    const { headers, json } = await service.call('GET', pathOf(made));
    expect([headers.etag, json]).toEqual([made.headers.etag, made.json]);
  }

  test('stays linked when the session is recorded under its id', async () => {
    await send([10, true, 40], [70, false, 60]);
    const [detected] = await sessions();
    const made = await linkTo(detected);
    const path = `/${car}/charging/${detected.id}`;
    const record = { fromDatetime: at(9), toDatetime: at(71), chargedKWh: 11 };
    const recorded = await service.call('PUT', path, record);
    expect([recorded.status, recorded.json]).toMatchObject([
      200,
      { ...record, source: 'recorded' },
    ]);
    await expectUnchanged(made);
    expect(await sessions()).toEqual([{ id: detected.id, ...record }]);
    expect((await service.call('DELETE', path)).status).toBe(204);
    const { id: _, ...values } = detected;
    expect(await sessions()).toEqual([{ id: expect.not.stringMatching(detected.id), ...values }]);
  });

  test('stays linked when a late message makes the session begin earlier', async () => {
    await send([10, true, 40], [70, false, 60]);
    const [detected] = await sessions();
    const made = await linkTo(detected);
    const { etag } = (await service.call('GET', `/${car}/charging/${detected.id}`)).headers;
    await send([2, true]);
    expect(await sessions()).toMatchObject([{ id: detected.id, fromDatetime: at(2) }]);
    const after = await service.call('GET', `/${car}/charging/${detected.id}`);
    expect(after.headers.etag).not.toBe(etag);
    await expectUnchanged(made);
  });

  test('stays linked when the session is merged with the next, whose link is cleared', async () => {
    await send([10, true, 40], [20, false, 42], [200, true, 42], [260, false, 60]);
    const detected = await sessions();
    expect(detected).toHaveLength(2);
    const made = await linkTo(...detected);
    // Earlier than the first, and all of the time between both.
    await send([2, true, 40]);
    for (let minutes = 20; minutes < 200; minutes += 5) await send([minutes, true, 42]);
    expect(await sessions()).toMatchObject([
      { id: detected[0].id, fromDatetime: at(2), toDatetime: at(260) },
    ]);
    const { json } = await service.call('GET', pathOf(made));
    expect(json.lines.map((line: object) => 'chargingSessionId' in line)).toEqual([true, false]);
  });

  test('stays linked to the first part when the session is split', async () => {
    await send([10, true, 40], [300, true, 60], [310, false, 60]);
    const [detected, ...others] = await sessions();
    expect(others).toEqual([]);
    const made = await linkTo(detected);
    await send([20, false, 41], [290, false, 41]);
    expect(await sessions()).toMatchObject([
      { id: detected.id, fromDatetime: at(10), toDatetime: at(20) },
      { fromDatetime: at(300) },
    ]);
    await expectUnchanged(made);
  });
});
