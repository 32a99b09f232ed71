import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bounds,
  codeOf,
  draftOfForm,
  emptyForm,
  formIssues,
  formValuesOf,
  isUsualVin,
  maxTextLength,
} from './form-values.ts';
import { draftFields, draftOf, erasesPositions, requestOf } from './vehicle-draft.ts';

const vehicle = {
  asset: {
    id: 'DE*ABC*V0001',
    assetProviderCountryCode: 'DE',
    assetProviderCode: 'ABC',
    blobUuid: '52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
    defaultImage: 'https://example.com/car.png',
    active: false,
  },
  information: { vendor: 'VW ', model: 'ID.3', seats: 4.5, evBatteryCapacity: 0 },
  status: { odometer: 45_210 },
};

test('a vehicle that nobody has changed is sent back as it was, with what the form does not show', () => {
  const later = { ...vehicle, information: { ...vehicle.information, ownWeight: 1_800 } };
  const base = draftOf(later);
  const draft = draftOfForm(formValuesOf(base), base);
  expect(draft).toEqual(base);
  const { asset, information } = later;
  expect(requestOf(draft, later)).toEqual({ asset, information });
});

test('what is emptied is left out, and a blank at an end is no part of what is typed', () => {
  const base = draftOf(vehicle);
  const values = {
    ...formValuesOf(base),
    vendor: ' ',
    seats: '' as const,
    licensePlate: ' B-X 1 ',
  };
  expect(requestOf(draftOfForm(values, base), vehicle).information).toEqual({
    model: 'ID.3',
    evBatteryCapacity: 0,
    licensePlate: 'B-X 1',
  });
});

test('a new vehicle is in service, and its positions are stored', () => {
  expect(requestOf(draftOfForm(emptyForm))).toEqual({
    asset: { active: true },
    information: { trackGeolocation: true },
  });
});

test('positions are erased when somebody ends their storage, and by nothing else', () => {
  const untracked = { active: true, trackGeolocation: false };
  expect(erasesPositions({ active: true }, untracked)).toBe(true);
  expect(erasesPositions(untracked, untracked)).toBe(false);
  expect(erasesPositions(untracked, { active: true, trackGeolocation: true })).toBe(false);
});

test('a new vehicle needs a code, and values are within their bounds', () => {
  expect(formIssues(emptyForm, true)).toEqual({ code: 'required' });
  expect(formIssues(emptyForm, false)).toEqual({});
  const filled = { ...emptyForm, code: 'V-0.1_a' };
  expect(formIssues(filled, true)).toEqual({});
  const wrong = {
    ...filled,
    code: 'V 1',
    vin: 'x'.repeat(201),
    firstRegistrationDate: '12022-03-01',
    seats: 1_001,
    buildYear: 22,
    evBatteryCapacity: -1,
  };
  expect(formIssues(wrong, true)).toEqual({
    code: 'noCode',
    vin: 'tooLong',
    firstRegistrationDate: 'noDate',
    seats: 'outOfBounds',
    buildYear: 'outOfBounds',
    evBatteryCapacity: 'outOfBounds',
  });
});

test('an id may be pasted with its codes', () => {
  expect(codeOf(' DE*ABC*V0001 ', 'DE*ABC*')).toBe('V0001');
  expect(codeOf('de*abc*V0001', 'DE*ABC*')).toBe('V0001');
  expect(codeOf('V0001', 'DE*ABC*')).toBe('V0001');
});

test('a VIN with a letter that looks like a digit is unusual', () => {
  expect(isUsualVin('WVWZZZE1ZNP012345')).toBe(true);
  expect(isUsualVin('WVWZZZE1ZNPO12345')).toBe(false);
});

test('the form has every field that the interface lets a client write, and its rules', () => {
  const path = join(import.meta.dirname, '../../../../../openapi.json');
  const { schemas } = JSON.parse(readFileSync(path, 'utf8')).components;
  const { asset, information } = schemas.VehicleRequest.properties;
  const writable = Object.keys(information.properties);
  expect([...draftFields].sort()).toEqual([...writable, 'active'].sort());
  expect(asset.properties.active.type).toBe('boolean');
  for (const [name, { type, maxLength, format, minimum, maximum }] of Object.entries<
    Record<string, unknown>
  >(information.properties)) {
    if (type === 'string' && format !== 'date') expect(maxLength, name).toBe(maxTextLength);
    if (type === 'number')
      expect(bounds[name as keyof typeof bounds]).toEqual({ minimum, maximum });
  }
});
