import { expect, test } from 'vitest';
import { createMethodLookup } from './path-methods.ts';

const methodsAt = createMethodLookup(
  new Map([
    ['/{vehicleId}', ['PUT']],
    ['/{vehicleId}/incidents/{incidentId}', ['GET']],
    ['/{vehicleId}/incidents/search', ['POST']],
    ['/vehicles', ['POST']],
    ['/users/{role}/{userId}', ['DELETE']],
  ]),
);

test.each([
  ['/DE*ABC*1', ['PUT']],
  ['/DE*ABC*1?expand=status', ['PUT']],
  ['/DE*ABC*1/incidents/7', ['GET']],
  ['/a%2Fb/incidents/%37', ['GET']],
  ['/%76ehicles', ['POST']],
  ['/users/driver/7', ['DELETE']],
])('%s is a path of %j', (target, methods) => {
  expect(methodsAt(target)).toEqual(methods);
});

test.each([
  ['/vehicles', ['POST']],
  ['/DE*ABC*1/incidents/search', ['POST']],
  ['/users/incidents/search', ['DELETE']],
])('%s is the path with the literal rather than that with the parameter', (target, methods) => {
  expect(methodsAt(target)).toEqual(methods);
});

test.each(['/DE*ABC*1/', '/DE*ABC*1/tyres', '/DE*ABC*1/incidents/7/8', '/%'])(
  '%s is a path of nothing',
  (target) => {
    expect(methodsAt(target)).toBeUndefined();
  },
);
