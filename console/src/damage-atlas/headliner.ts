import { circle, curve, region, roundedRectangle, symmetric } from './geometry.ts';
import { symmetryOf } from './symmetry.ts';
import { type Area, area, type Shape, shapes } from './view.ts';

/** Twice the distance of its axis from the left edge of the drawing. */
const span = 1212;
const { both, across } = symmetryOf(span);

const frontEdge = curve(
  'M606 172C640 172 664 174 682 178C694 181 700 187 702 198C709 240 713 290 714 352',
);
const rearEdge = curve(
  'M714 352C714 410 712 460 707 510C705 521 699 527 688 530C664 534 640 536 606 536',
);
const row = curve('M606 352L760 352');
const frontColumn = curve('M642 140C644.5 220 645 290 645 352');
const rearColumn = curve('M645 352C645 420 644.5 500 642 580');
const sunVisor =
  'M618 181C646 181 672 184 690 188C694 189 696 192 697 196L699 210C699 213 697 214 694 213.5C670 209 646 207 620 207C616 207 614 205 614 202L614 186C614 183 615 181 618 181Z';

export const headliner: (Shape | Area)[] = [
  ...both(area('headliner_front_right', 'upholstery', region(frontColumn, frontEdge, row))),
  area('headliner_front_center', 'upholstery', across(frontEdge, frontColumn, row)),
  ...both(area('headliner_rear_right', 'upholstery', region(rearColumn, row, rearEdge))),
  area('headliner_rear_center', 'upholstery', across(row, rearColumn, rearEdge)),
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
  ...shapes('outline', symmetric([...frontEdge, ...rearEdge], span)),
];
