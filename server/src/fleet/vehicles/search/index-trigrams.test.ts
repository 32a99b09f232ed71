import { expect, test } from 'vitest';
import { indexTrigrams } from './index-trigrams.ts';

test.each([
  [['p4658820'], ['465', '588', '820']],
  [['WVWZZZT7SP8083073'], ['808', '830', '073']],
  [['c-ky 3731e'], ['ky3', '373', '31e']],
  [
    ['VW', 'Sprinter', 'AB12345'],
    ['ab1', '123', '345'],
  ],
  [
    ['škoda', 'octavia'],
    ['sko', 'oct', 'via'],
  ],
  [['id.3'], ['id3', 'id3', 'id3']],
  [['golf'], ['gol', 'gol', 'olf']],
  [['Weißenfels'], ['wei', 'nfe', 'els']],
])('for %j the index gets those that differ most between vehicles: %j', (texts, trigrams) => {
  expect(indexTrigrams(texts)).toEqual(trigrams);
});

test.each([[['vw']], [['a b']], [['ж', 'жигули']], [['m', 'ab']], [[]], [['%_\\']]])(
  '%j cannot be found by the index',
  (texts) => {
    expect(indexTrigrams(texts)).toBeUndefined();
  },
);
