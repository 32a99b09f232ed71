import { circle, curve, region, roundedRectangle } from './geometry.ts';
import { symmetryOf } from './symmetry.ts';
import { type Area, area, type Shape, shapes } from './view.ts';

/** Twice the distance of its axis from the left edge of the drawing. */
const span = 1212;
const { both, across } = symmetryOf(span);

const front = curve('M606 172C650 172 684 176 740 190');
const side = curve('M704 150C716 240 718 420 706 560');
const rear = curve('M606 536C650 536 684 532 740 522');
const row = curve('M606 352L760 352');
const column = curve('M642 140C646 260 646 440 642 580');
const sunVisor = 'M616 180C646 180 676 184 698 190L700 214C672 208 644 206 616 206Z';

export const headliner: (Shape | Area)[] = [
  ...both(area('headliner_front_right', 'upholstery', region(front, side, row, column))),
  area('headliner_front_center', 'upholstery', across(front, column, row)),
  ...both(area('headliner_rear_right', 'upholstery', region(row, side, rear, column))),
  area('headliner_rear_center', 'upholstery', across(row, column, rear)),
  ...both(
    ...shapes(
      'crease',
      sunVisor,
      roundedRectangle(694, 268, 7, 46, 3.5),
      roundedRectangle(694, 400, 7, 46, 3.5),
    ),
  ),
  ...shapes('lamp', roundedRectangle(588, 216, 36, 24, 7), roundedRectangle(592, 446, 28, 18, 6)),
  ...shapes(
    'crease',
    roundedRectangle(588, 216, 36, 24, 7),
    roundedRectangle(592, 446, 28, 18, 6),
    circle(606, 228, 4),
  ),
  ...shapes('outline', across(front, side, rear)),
];
