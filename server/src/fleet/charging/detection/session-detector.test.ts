import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gapMs,
  hour,
  mergedOf,
  minute,
  sessionsIn,
  streams,
} from '../../../testing/charging-streams.ts';
import type { ChargingSample } from './session.ts';
import { type DetectorState, step } from './session-detector.ts';

const words: Record<string, Partial<ChargingSample>> = {
  plug: { isPluggedIn: true },
  unplug: { isPluggedIn: false },
  charge: { isCharging: true },
  rest: { isCharging: false },
  '@berlin': { location: { lat: 52.5, lng: 13.4 } },
  '@nearby': { location: { lat: 52.503, lng: 13.4 } },
  '@potsdam': { location: { lat: 52.4, lng: 13.1 } },
};

/** A stream in words: `0 plug charge 40%, 10 rest 7kWh` are samples of the minutes 0 and 10. */
function samplesOf(stream: string): ChargingSample[] {
  return stream.split(', ').map((said) => {
    const [minutes, ...signals] = said.split(' ');
    const sample: ChargingSample = { time: Number(minutes) * minute };
    for (const signal of signals) {
      if (signal.endsWith('%')) sample.level = Number.parseFloat(signal);
      else if (signal.endsWith('kWh')) sample.energyMeter = Number.parseFloat(signal);
      else if (signal.endsWith('km')) sample.odometer = Number.parseFloat(signal);
      else Object.assign(sample, words[signal]);
    }
    return sample;
  });
}

/** Sessions in words: `0 to 10, 40% to 45%`; of one that runs, `0 on, 40%`. */
function sessionsOf(stream: string): string[] {
  return sessionsIn(samplesOf(stream)).map(({ from, to, fromLevel, toLevel }) => {
    const times = to === undefined ? `${from / minute} on` : `${from / minute} to ${to / minute}`;
    const levels = [fromLevel, toLevel].map((level) => (level === undefined ? '?' : `${level}%`));
    return `${times}, ${to === undefined ? levels[0] : levels.join(' to ')}`;
  });
}

/** Every ten minutes from one to another, the same. */
function every10(from: number, to: number, signals: string): string {
  const count = (to - from) / 10 + 1;
  return Array.from({ length: count }, (_, index) => `${from + index * 10} ${signals}`).join(', ');
}

type Case = [promise: string, stream: string, sessions: string[]];

describe.each<[string, Case[]]>([
  [
    'beginning',
    [
      ['charging opens one, which runs', '5 charge 40%', ['5 on, 40%']],
      ['a plug alone opens none', '5 plug 40%, 9 plug 41%', []],
      ['what charges without a plug does not', '5 charge unplug 40%', []],
      ['the level may be a day old', '0 30%, 1440 charge', ['1440 on, 30%']],
      ['and no older', '0 30%, 1441 charge', ['1441 on, ?']],
      ['or the first in it', '5 charge, 9 44%, 12 45%', ['5 on, 44%']],
      [
        'one from before was too old when the first in it is lower',
        '0 70%, 600 charge, 601 20%, 602 rest 21%',
        ['600 to 602, 20% to 21%'],
      ],
    ],
  ],
  [
    'end',
    [
      ['it ends when charging stops', '0 charge 40%, 10 rest 45%', ['0 to 10, 40% to 45%']],
      ['and when the plug is pulled', '0 charge 40%, 10 unplug 45%', ['0 to 10, 40% to 45%']],
      [
        'with the last level up to then',
        '0 charge 40%, 5 44%, 10 rest, 11 45%',
        ['0 to 10, 40% to 44%'],
      ],
      ['or none, if none came', '0 40%, 5 charge, 10 rest, 12 50%', ['5 to 10, 40% to ?']],
      [
        'a plug that is pulled later does not move it',
        '0 plug charge 40%, 10 rest 45%, 14 unplug 45%',
        ['0 to 10, 40% to 45%'],
      ],
    ],
  ],
  [
    'pause',
    [
      [
        'sun that flickers leaves one session',
        '0 plug charge 40%, 1 rest, 2 charge, 3 rest, 4 charge, 5 rest 41%',
        ['0 to 5, 40% to 41%'],
      ],
      [
        'it goes on after a short one',
        '0 charge 40%, 10 rest 42%, 24 charge 42%, 30 rest 43%',
        ['0 to 30, 40% to 43%'],
      ],
      [
        'and not after a long one',
        '0 charge 40%, 10 rest 42%, 20 42%, 25 charge 42%',
        ['0 to 10, 40% to 42%', '25 on, 42%'],
      ],
      [
        'also when the plug stays in',
        `0 plug charge 40%, ${every10(10, 60, 'plug rest 42%')}, 70 charge 42%, 80 rest 45%`,
        ['0 to 10, 40% to 42%', '70 to 80, 42% to 45%'],
      ],
      [
        'and when the level is higher then',
        '0 plug charge 40%, 10 rest 44%, 60 charge 45%, 65 rest 46%',
        ['0 to 10, 40% to 44%', '60 to 65, 45% to 46%'],
      ],
      [
        'nor after the plug was pulled',
        '0 plug charge 40%, 10 rest 42%, 12 unplug, 14 plug charge 42%',
        ['0 to 10, 40% to 42%', '14 on, 42%'],
      ],
      [
        'nor after the level fell',
        '0 plug charge 40%, 10 rest 42%, 14 charge 38.9%',
        ['0 to 10, 40% to 42%', '14 on, 38.9%'],
      ],
      [
        'which three points less do not mean',
        '0 plug charge 40%, 10 rest 42%, 14 charge 39%, 20 rest 43%',
        ['0 to 20, 40% to 43%'],
      ],
    ],
  ],
  [
    'silence',
    [
      ['a short one heals', '0 charge 40%, 14 charge 40%, 28 rest 41%', ['0 to 28, 40% to 41%']],
      [
        'also when the level is corrected by any number of points',
        '0 charge 40%, 10 charge 44%, 20 charge 36%, 30 rest 41%',
        ['0 to 30, 40% to 41%'],
      ],
      [
        'one of less than an hour heals as long as the level may have stayed',
        '0 charge 40%, 10 44%, 69 charge 41%, 128 rest',
        ['0 to 128, 40% to 41%'],
      ],
      [
        'unless it fell by more',
        '0 charge 40%, 10 charge 44%, 25 charge 40.9%',
        ['0 to 10, 40% to 44%', '25 on, 40.9%'],
      ],
      [
        'a longer one ends it with the last sign',
        '0 charge 40%, 10 44%, 70 charge 44%',
        ['0 to 10, 40% to 44%', '70 on, 44%'],
      ],
      [
        'also when the end is heard of without a level',
        '0 charge 40%, 10 44%, 70 rest',
        ['0 to 10, 40% to 44%'],
      ],
      [
        'and when a position came',
        '0 charge 40%, 10 @berlin, 60 charge 40%',
        ['0 to 0, 40% to 40%', '60 on, 40%'],
      ],
      ['unless the level rose', '0 charge 40%, 300 rest 80%', ['0 to 300, 40% to 80%']],
      ['or the meter', '0 charge 7kWh, 300 rest 27kWh', ['0 to 300, ? to ?']],
      ['a day ends it in any case', '0 charge 40%, 1440 rest 80%', ['0 to 0, 40% to 40%']],
      [
        'one that paused before ended with the pause',
        '0 charge 40%, 10 rest 44%, 12 44%, 60 charge 44%',
        ['0 to 10, 40% to 44%', '60 on, 44%'],
      ],
      [
        'without any level, it is what the messages say',
        '0 charge, 300 rest',
        ['0 to 300, ? to ?'],
      ],
      [
        'also when a level or the meter is known from before',
        '0 30% 7kWh, 5 charge, 300 charge, 700 rest',
        ['5 to 700, 30% to ?'],
      ],
      ['for a day', '0 charge, 1440 rest', ['0 to 0, ? to ?']],
    ],
  ],
  [
    'movement',
    [
      [
        'by the odometer ends it with the last sign',
        '0 charge 40% 100km, 10 44%, 14 charge 45% 101.1km',
        ['0 to 10, 40% to 44%', '14 on, 45%'],
      ],
      ['a kilometre is none', '0 charge 40% 100km, 14 charge 45% 101km', ['0 on, 40%']],
      ['nor is an odometer that falls', '0 charge 40% 100km, 14 charge 45% 0km', ['0 on, 40%']],
      [
        'by the position as well',
        '0 charge 40% @berlin, 10 44%, 14 charge 45% @potsdam',
        ['0 to 10, 40% to 44%', '14 on, 45%'],
      ],
      ['a few hundred metres are none', '0 charge 40% @berlin, 14 charge @nearby', ['0 on, 40%']],
      [
        'ends it also where nothing else is said',
        '0 charge 40% @berlin 100km, 14 @potsdam, 20 300km',
        ['0 to 0, 40% to 40%'],
      ],
      [
        'counts from what was known before the start, when it was silent since',
        '0 100km @berlin, 5 charge 40%, 65 charge 60% 300km',
        ['5 to 5, 40% to 40%', '65 on, 60%'],
      ],
      [
        'which otherwise was outdated at the start',
        '0 100km @berlin, 5 charge 40%, 15 charge 42% 300km @potsdam, 25 rest 44%',
        ['5 to 25, 40% to 44%'],
      ],
      [
        'during a pause ends it with the pause',
        '0 charge 40% 100km, 5 rest 42%, 8 102km, 12 charge 42%',
        ['0 to 5, 40% to 42%', '12 on, 42%'],
      ],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases)('%s', (_promise, stream, sessions) => {
    expect(sessionsOf(stream)).toEqual(sessions);
  });
});

describe('energy', () => {
  const energyOf = (stream: string, capacityKwh?: number) =>
    sessionsIn(samplesOf(stream), capacityKwh).map(
      ({ chargedKwh, energyBasis }) => `${chargedKwh} ${energyBasis}`,
    );

  test('is estimated from the levels and the capacity', () => {
    expect(energyOf('0 charge 40%, 10 rest 45.5%', 64)).toEqual(['3.52 estimated']);
    expect(energyOf('0 charge 40%, 10 rest 39%', 64)).toEqual(['0 estimated']);
    expect(energyOf('0 charge, 10 rest 45%', 64)).toEqual(['0 estimated']);
  });

  test('is absent when it is not known', () => {
    expect(energyOf('0 charge, 10 rest', 64)).toEqual(['undefined estimated']);
    expect(energyOf('0 40%, 5 charge, 10 rest', 64)).toEqual(['undefined estimated']);
    expect(energyOf('0 charge 40%, 10 rest 45%')).toEqual(['undefined estimated']);
  });

  test('is measured from two readings on, and counts up while it runs', () => {
    expect(energyOf('0 charge 40% 100kWh, 5 50%', 50)).toEqual(['5 estimated']);
    expect(energyOf('0 charge 40% 100kWh, 5 50%, 10 104.2504kWh', 50)).toEqual(['4.25 measured']);
  });

  test('is the last reading less the first, before and after a reset', () => {
    expect(energyOf('0 charge 100kWh, 5 103kWh, 9 2kWh, 12 4kWh, 15 3.9kWh, 18 5kWh')).toEqual([
      '6 measured',
    ]);
    expect(energyOf('0 charge 100kWh, 5 100.1kWh, 9 99.9kWh')).toEqual(['0 measured']);
  });

  test('is measured from a reading before the start, of a day at most', () => {
    expect(energyOf('0 7kWh, 5 charge 40%, 15 rest 50% 12.5kWh', 50)).toEqual(['5.5 measured']);
    expect(energyOf('0 7kWh, 1441 charge 40%, 1451 rest 50% 12.5kWh', 50)).toEqual(['5 estimated']);
    expect(energyOf('0 7kWh, 5 charge 40% 9kWh, 15 rest 50% 12.5kWh', 50)).toEqual([
      '3.5 measured',
    ]);
  });

  test('a reading before the start does not count when the meter was reset since', () => {
    const stream = '0 90kWh, 5 charge 40%, 15 50% 4kWh, 25 rest 60% 10kWh';
    expect(energyOf(stream, 50)).toEqual(['11 mixed']);
  });

  test('is mixed where the level rose by more than a point without the meter', () => {
    expect(energyOf('0 charge 40%, 14 50% 100kWh, 28 rest 60% 106kWh', 50)).toEqual(['11 mixed']);
    expect(energyOf('0 charge 40% 100kWh, 14 50% 106kWh, 28 rest 60%', 50)).toEqual(['11 mixed']);
    expect(energyOf('0 charge 40%, 1 41% 100kWh, 14 rest 51% 106kWh', 50)).toEqual(['6 measured']);
  });

  test('where the level does not tell, it is mixed by the power that the meter shows', () => {
    expect(energyOf('0 charge, 10 100kWh, 20 rest 106kWh')).toEqual(['12 mixed']);
    expect(energyOf('0 charge, 5 100kWh, 20 rest 106kWh')).toEqual(['6 measured']);
  });

  test('what the meter says after the end is not counted, unless it goes on', () => {
    const stream = '0 plug charge 1kWh, 5 rest 2kWh, 9 4kWh';
    expect(energyOf(stream)).toEqual(['1 measured']);
    expect(energyOf(`${stream}, 12 charge`)).toEqual(['3 measured']);
  });

  test('stays finite whatever the meter says', () => {
    const stream = '0 charge 0kWh, 5 1.7e308kWh, 9 0kWh, 12 1.7e308kWh';
    expect(energyOf(stream)).toEqual([`${Number.MAX_VALUE} measured`]);
  });
});

describe('position', () => {
  const places = new Map(['@berlin', '@potsdam'].map((name) => [words[name]?.location?.lat, name]));
  const placesOf = (stream: string) =>
    sessionsIn(samplesOf(stream)).map(({ location }) => places.get(location?.lat));

  test('is the last one known at the start, a day old at most', () => {
    expect(placesOf('0 @berlin, 9 charge, 12 @potsdam')).toEqual(['@berlin']);
    expect(placesOf('0 @berlin, 9 charge @potsdam')).toEqual(['@potsdam']);
    expect(placesOf('0 @berlin, 1441 charge')).toEqual([undefined]);
  });

  test('or else the first one in it', () => {
    expect(placesOf('0 charge, 3 @berlin, 6 @nearby')).toEqual(['@berlin']);
    expect(placesOf('0 @berlin, 9 charge, 12 charge @potsdam')).toEqual(['@potsdam']);
  });

  test('and none from after its end, nor from a pause', () => {
    expect(placesOf('0 charge 40%, 9 @berlin, 60 plug')).toEqual([undefined]);
    expect(placesOf('0 charge, 5 rest, 9 @berlin')).toEqual([undefined]);
  });
});

describe('of any stream', () => {
  test('sessions come one after the other, and none charges less than nothing', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        let end = Number.NEGATIVE_INFINITY;
        for (const { from, to = Number.POSITIVE_INFINITY, chargedKwh = 0 } of sessionsIn(
          mergedOf(stream),
        )) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(chargedKwh).toBeGreaterThanOrEqual(0);
          end = to;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('a start of the service between any two samples changes nothing', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        let state: DetectorState = { lastKnown: {} };
        let restarted: DetectorState = { lastKnown: {} };
        for (const sample of mergedOf(stream)) {
          const one = step(state, sample, gapMs);
          const other = step(JSON.parse(JSON.stringify(restarted)), sample, gapMs);
          expect(other).toEqual(one);
          state = one.state;
          restarted = other.state;
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no value of a session lies outside of it, but for a day before', () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const samples = mergedOf(stream);
        for (const {
          from,
          to = Number.POSITIVE_INFINITY,
          fromLevel,
          toLevel,
          location,
        } of sessionsIn(samples)) {
          const within = samples.filter(({ time }) => time >= from - 24 * hour && time <= to);
          const inside = within.filter(({ time }) => time >= from);
          if (fromLevel !== undefined)
            expect(within.map(({ level }) => level)).toContain(fromLevel);
          if (toLevel !== undefined)
            expect(inside.findLast(({ level }) => level !== undefined)?.level).toBe(toLevel);
          if (location) expect(within.map((sample) => sample.location)).toContainEqual(location);
        }
      }),
      { numRuns: 500 },
    );
  });
});
