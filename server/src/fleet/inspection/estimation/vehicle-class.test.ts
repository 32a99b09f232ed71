import { expect, test } from 'vitest';
import { classOfModel } from './vehicle-class.ts';

test.each([
  ['VW', 'Golf', ['M1']],
  ['Škoda', 'Octavia', ['M1']],
  ['VW', 'ID. Buzz', ['M1']],
  ['VW', 'ID. Buzz Cargo', ['N1', 'M1']],
  ['VW', 'Caddy', ['N1', 'M1']],
  ['Mercedes-Benz', 'Sprinter', ['N1', 'N2', 'M1']],
  ['Renault', 'Kangoo E-Tech', ['N1', 'M1']],
  ['Toyota', 'Hilux', ['N1', 'M1']],
  ['Mercedes-Benz', 'Atego 1224', ['N2']],
  ['MAN', 'TGX 18.510', ['N3']],
  ['Volvo', 'FH 500', ['N3']],
  ['Volvo', 'XC60', ['M1']],
  ['DAF', 'LF 230', ['N2']],
  ['Mercedes-Benz', 'eCitaro', ['M3']],
  ['Mercedes-Benz', 'Citaro', ['M3']],
  ['Schmitz Cargobull', 'S.KO', ['O']],
  ['Vespa', 'Elettrica', ['L']],
  ['Renault', 'Twizy', ['L']],
])('%s %s is %j', (vendor, model, possible) => {
  expect(classOfModel({ vendor, model })).toEqual({ possible, modelIsKnown: true });
});

test('more than nine seats are a bus, whatever the model', () => {
  expect(classOfModel({ vendor: 'Mercedes-Benz', model: 'Sprinter', seats: 17 })).toEqual({
    possible: ['M2', 'M3'],
    modelIsKnown: true,
  });
});

test('a model that tells nothing is taken for a car, and that is said', () => {
  for (const described of [{}, { vendor: 'Acme' }, { model: 'Masterpiece' }]) {
    expect(classOfModel(described)).toEqual({ possible: ['M1'], modelIsKnown: false });
  }
});
