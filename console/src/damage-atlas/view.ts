import type { DamagePosition } from '@motorpool/client';
import { mirrored } from './geometry.ts';

/** In the order in which they are shown and reached by the tab key. */
export const viewNames = ['left', 'right', 'front', 'rear', 'top', 'interior'] as const;
export type ViewName = (typeof viewNames)[number];

/** What a shape is made of, or the weight of a line: its class in the style sheet. */
export type Finish =
  | 'paint'
  | 'body'
  | 'glass'
  | 'pane'
  | 'rubber'
  | 'arch'
  | 'rim'
  | 'handle'
  | 'lamp'
  | 'lens'
  | 'tail-lamp'
  | 'tail-lens'
  | 'plate'
  | 'plate-band'
  | 'trim'
  | 'upholstery'
  | 'headrest'
  | 'carpet'
  | 'shadow'
  | 'shade'
  | 'shine'
  | 'outline'
  | 'seal'
  | 'wiper'
  | 'gap'
  | 'crease'
  | 'groove'
  | 'hairline';

export type Shape = { finish: Finish; path: string };
export type Area = Shape & { position: DamagePosition };
/** A word beside the drawing, where the drawing alone would not tell. */
export type Label = { text: 'left' | 'right' | 'headliner'; x: number; y: number };

export type View = {
  name: ViewName;
  width: number;
  height: number;
  /** In the order in which they are painted; what is no area is for the eye alone. */
  layers: readonly (Shape | Area)[];
  labels: readonly Label[];
};

export function areasOf(view: View): Area[] {
  return view.layers.filter((layer) => 'position' in layer);
}

export function shapes(finish: Finish, ...paths: string[]): Shape[] {
  return paths.map((path) => ({ finish, path }));
}

export function area(position: DamagePosition, finish: Finish, path: string): Area {
  return { position, finish, path };
}

/** The shapes, and their mirror images; those of areas are areas of the other side. */
export function withMirrored<T extends Shape | Area>(those: readonly T[], width: number): T[] {
  return [...those, ...those.map((one) => mirrorImage(one, width))];
}

export function mirrorImage<T extends Shape | Area>(one: T, width: number): T {
  const path = mirrored(one.path, width);
  if (!('position' in one)) return { ...one, path };
  const swapped = one.position.replace(/left|right/, (word) =>
    word === 'left' ? 'right' : 'left',
  );
  return { ...one, path, position: swapped };
}
