import { readFileSync } from 'node:fs';
import type { DamagePosition } from '@motorpool/client';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { DamageAtlas } from './DamageAtlas.tsx';
import { areaStates } from './damage.ts';
import { contains, curve, flatten } from './geometry.ts';
import { germanNames } from './names.de.ts';
import { englishNames } from './names.en.ts';
import { type Direction, nearestArea } from './nearest-area.ts';
import { placedAreas } from './placed-areas.ts';
import { areasOf, viewNames } from './view.ts';
import { views } from './views.ts';

const { components } = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as { components: { schemas: { DamagePosition: { enum: string[] } } } };
const positions = components.schemas.DamagePosition.enum;

describe('the damage atlas', () => {
  test('draws every position of the interface once, and nothing else', () => {
    const drawn = viewNames.flatMap((name) => areasOf(views[name]).map((area) => area.position));
    expect(drawn.toSorted()).toEqual(positions.toSorted());
  });

  test.each([
    ['English', englishNames],
    ['German', germanNames],
  ])('names every position differently in %s', (_, names) => {
    expect(Object.keys(names.positions).toSorted()).toEqual(positions.toSorted());
    expect(new Set(Object.values(names.positions)).size).toBe(positions.length);
    expect(Object.values(names.positions)).not.toContain('');
  });

  describe.each(viewNames)('in the view %s', (name) => {
    const view = views[name];
    const areas = placedAreas(view);

    test('has its areas inside the view box', () => {
      for (const { position, path } of areas) {
        for (const [x, y] of flatten(curve(path))) {
          expect(x >= 0 && x <= view.width && y >= 0 && y <= view.height, position).toBe(true);
        }
      }
    });

    test('hits each area at its centre and well around it', () => {
      const topmostFirst = areasOf(view)
        .map(({ position, path }) => ({ position, polygon: flatten(curve(path)) }))
        .reverse();
      for (const { position, centre } of areas) {
        for (const [dx, dy] of [
          [0, 0],
          [-5, -5],
          [5, -5],
          [5, 5],
          [-5, 5],
        ] as const) {
          const point = [centre[0] + dx, centre[1] + dy] as const;
          const hit = topmostFirst.find(({ polygon }) => contains(polygon, point));
          expect(hit?.position, `${position} at ${point}`).toBe(position);
        }
      }
    });

    test('reaches every area from every other by the arrow keys', () => {
      const directions: Direction[] = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
      for (const start of areas) {
        const reached = new Set([start]);
        for (const area of reached) {
          for (const direction of directions) {
            const next = nearestArea(areas, area, direction);
            if (next !== undefined) reached.add(next);
          }
        }
        const missed = areas.filter((area) => !reached.has(area)).map((area) => area.position);
        expect(missed, `from ${start.position}`).toEqual([]);
      }
    });
  });

  test('offers each area as a button with its name, each view as one stop of the tab key, without inline styles', () => {
    const damages = [
      { position: 'antenna', severity: 'high', repaired: false, label: 'Bent' } as const,
    ];
    const props = { damages, names: englishNames, onSelect: () => {} };
    const page = renderToStaticMarkup(createElement(DamageAtlas, props));
    expect(page.match(/role="button"/g)).toHaveLength(positions.length);
    expect(page.match(/tabindex="0"/g)).toHaveLength(viewNames.length);
    expect(page).toContain('aria-label="Aerial, 1 damage"');
    expect(page).toContain('aria-label="Steering wheel, no damages"');
    expect(page).not.toContain('style=');
    const readOnly = renderToStaticMarkup(createElement(DamageAtlas, { ...props, readOnly: true }));
    expect(readOnly).not.toContain('role="button"');
  });

  test('shows an area by its worst open damage, and hollow when all are repaired', () => {
    const damage = (
      position: DamagePosition,
      severity: 'light' | 'moderate' | 'high',
      repaired: boolean,
    ) => ({
      position,
      severity,
      repaired,
      label: 'Scratch',
    });
    const states = areaStates([
      damage('antenna', 'light', false),
      damage('antenna', 'moderate', false),
      damage('antenna', 'high', true),
      damage('steering_wheel', 'light', true),
      damage('steering_wheel', 'high', true),
    ]);
    expect(states.get('antenna')).toMatchObject({ severity: 'moderate', hollow: false });
    expect(states.get('antenna')?.damages).toHaveLength(3);
    expect(states.get('steering_wheel')).toMatchObject({ severity: 'high', hollow: true });
    expect(states.size).toBe(2);
  });

  test('has the left side of the vehicle where one who looks at it sees it', () => {
    const sideOf = { front: 'right', rear: 'left', top: 'left', interior: 'left' } as const;
    for (const [name, side] of Object.entries(sideOf) as [keyof typeof sideOf, string][]) {
      const areas = placedAreas(views[name]);
      for (const { position, centre } of areas.filter((area) => area.position.includes('left'))) {
        const counterpart = areas.find(
          (area) => area.position === position.replace('left', 'right'),
        );
        const isLeft = centre[0] < (counterpart?.centre[0] ?? Number.NaN);
        expect(isLeft ? 'left' : 'right', position).toBe(side);
      }
    }
  });
});
