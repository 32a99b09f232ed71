import { curve, roundedRectangle, symmetric } from './geometry.ts';
import { type Shape, shapes, withMirrored } from './view.ts';

/** What the front and the rear have in common: the half on the right, of a drawing of this width. */
export const shellWidth = 640;
export const shellHeight = 452;

const half =
  'M320 30C384 30 430 33 452 42C466 48 475 58 481 72C494 102 508 132 521 160' +
  'C540 168 556 184 562 206C566 226 567.5 252 567 280C566 310 563 334 557 354C552 374 546 388 532 392';

export const side = curve(half);
export const shell = symmetric(curve(`${half}L320 394`), shellWidth);

export const tyre = roundedRectangle(494, 318, 62, 114, 11);

export function tyreGrooves(): Shape[] {
  return withMirrored(
    shapes('groove', ...[506, 519, 531, 544].map((x) => `M${x} 386L${x} 429`)),
    shellWidth,
  );
}

export function ground(): Shape[] {
  return [
    ...shapes('shadow', 'M60 432C180 422 460 422 580 432C460 443 180 443 60 432Z'),
    ...shapes('arch', roundedRectangle(120, 340, 400, 66, 8)),
  ];
}

export function mirrors(): Shape[] {
  const housing =
    'M506 152C516 147 524 136 534 132C550 126 570 125 581 128C589 131 591 140 587 148C583 155 574 158 563 159' +
    'C546 160 530 158 512 161Z';
  const lowerEdge = 'M534 152C550 153 568 151 588 145';
  return withMirrored(
    [...shapes('body', housing), ...shapes('outline', housing), ...shapes('crease', lowerEdge)],
    shellWidth,
  );
}
