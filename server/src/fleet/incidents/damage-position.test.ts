import { expect, test } from 'vitest';
import { damagePositions } from './damage-position.ts';

test('there are the 145 positions of the interface, none twice', () => {
  expect(damagePositions).toHaveLength(145);
  expect(new Set(damagePositions).size).toBe(145);
  expect(damagePositions.every((position) => /^[a-z]+(_[a-z]+)*$/.test(position))).toBe(true);
});

test('each part of the vehicle has as many positions as the interface names', () => {
  const count = (prefix: string) =>
    damagePositions.filter((position) => position.startsWith(prefix)).length;
  expect({
    front: count('front_'),
    rear: count('rear_'),
    left: count('left_'),
    right: count('right_'),
    roof: count('roof_'),
    sunroof: count('sunroof_'),
    dashboard: count('dashboard_'),
    headliner: count('headliner_'),
    carpet: count('carpet_'),
  }).toEqual({
    front: 31,
    rear: 31,
    left: 26,
    right: 26,
    roof: 9,
    sunroof: 5,
    dashboard: 3,
    headliner: 6,
    carpet: 5,
  });
});

test('the odd ones are among them, in the interface’s order', () => {
  const odd = [
    'front_upper_left_bumper',
    'front_license_plate_area',
    'front_center_windshield_base',
    'rear_trunk_lower_center',
    'rear_windshield_upper_right',
    'left_b_pillar',
    'left_side_mirror_upper',
    'right_side_skirt_rear',
    'roof_middle_center',
    'sunroof_center',
    'antenna',
    'steering_wheel',
    'center_console',
    'rear_center_seat_base',
    'headliner_rear_center',
    'carpet_rear_center',
    'right_rear_door_trim',
  ];
  expect(damagePositions.filter((position) => odd.includes(position))).toEqual(odd);
});
