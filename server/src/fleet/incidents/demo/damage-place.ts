import type { Incident } from '../incident.ts';

type Position = NonNullable<Incident['damages']>[number]['position'];

/** Seen from above: 0 is the left edge and 1 the right one; 0 is the front and 1 the rear. */
export type Place = { across: number; along: number };

/** How far back a part is; the first that the position names decides. */
const alongOf: readonly (readonly [RegExp, number])[] = [
  [/^front_.*(bumper|grille|license_plate|fog_light)/, 0.02],
  [/^front_.*headlight/, 0.06],
  [/^front_lower_.*hood/, 0.1],
  [/^front_upper_.*hood/, 0.2],
  [/^front_.*windshield/, 0.28],
  [/front_(fender|wheel)|^front_.*(fender|wheel)/, 0.2],
  [/^rear_.*bumper|license_plate|taillight/, 0.98],
  [/^rear_trunk_lower/, 0.95],
  [/^rear_trunk_upper/, 0.91],
  [/^rear_windshield/, 0.85],
  [/rear_(fender|wheel)|^rear_.*(fender|wheel)/, 0.8],
  [/a_pillar|side_mirror/, 0.31],
  [/skirt_front/, 0.36],
  [/front_(door|window)/, 0.45],
  [/b_pillar|skirt_center/, 0.54],
  [/rear_(door|window)/, 0.64],
  [/skirt_rear|c_pillar/, 0.74],
  [/^roof_upper|^sunroof_upper/, 0.42],
  [/^roof_lower|^sunroof_lower/, 0.74],
  [/^antenna/, 0.8],
  [/^dashboard|^steering_wheel/, 0.34],
  [/^rear_.*seat|_rear_/, 0.7],
  [/^front_.*seat|_front_|^center_console/, 0.48],
];

export function damagePlace(position: Position): Place {
  const [, along] = alongOf.find(([part]) => part.test(position)) ?? [undefined, 0.58];
  return { across: acrossOf(position), along };
}

function acrossOf(position: Position): number {
  if (position.startsWith('left_')) return 0;
  if (position.startsWith('right_')) return 1;
  if (position.includes('left') || position === 'steering_wheel') return 0.22;
  return position.includes('right') ? 0.78 : 0.5;
}
