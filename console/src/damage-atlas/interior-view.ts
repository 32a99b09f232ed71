import {
  circle,
  curve,
  ellipse,
  region,
  roundedRectangle,
  stretch,
  symmetric,
} from './geometry.ts';
import { headliner } from './headliner.ts';
import { symmetryOf } from './symmetry.ts';
import { type Area, area, type Shape, shapes, type View } from './view.ts';

/** The cabin from above, its front at the top; the headliner, which would hide it, lies beside it. */
const cabinWidth = 480;

const { both, across } = symmetryOf(cabinWidth);

const shell = symmetric(
  curve(
    'M240 20C312 20 366 28 396 52C418 70 432 122 436.5 190C441 300 441 460 437 560C434.5 612 424 646 402 664' +
      'C372 686 310 690 240 690',
  ),
  cabinWidth,
);
const windscreen = symmetric(
  curve('M240 34C306 34 356 42 384 64C399 77 407 96 410 122L400 106L240 106'),
  cabinWidth,
);
const floor = symmetric(
  curve('M240 150L404 150L406 260L406 560C404 600 398 622 390 634C340 644 290 646 240 646'),
  cabinWidth,
);
const rearWindow = symmetric(
  curve('M240 655C300 655 350 651 382 643C391 650 391 656 384 661C356 673 300 677 240 677'),
  cabinWidth,
);
const axis = curve('M240 0L240 700');

const dashTop = curve('M240 58C330 58 384 76 420 128');
const dashBottom = curve('M240 176C276 176 296 168 318 160C350 150 380 154 420 166');
const dashSide = curve('M401 90C402 120 404 150 406 180');
const dashCut = curve('M304 50C302 90 302 130 298 184');

const frontTrim = 'M404 172L433 168C437 230 438.5 300 438.5 376L406 376C405 340 404 310 404 280Z';
const rearTrim = 'M406 384L438.5 384C438.5 450 438 510 436 562L408 566C406 540 405 510 405 480Z';
const frontBase =
  'M284 262C284 248 294 243 336 243C378 243 388 248 388 262C392 290 393 320 391 352C366 358 306 358 281 352C279 320 280 290 284 262Z';
const frontBack =
  'M280 356C278 348 282 344 290 344C320 349 352 349 382 344C390 344 394 348 392 356C391 376 389 394 384 406C376 416 296 416 288 406C283 394 281 376 280 356Z';
const frontHead =
  'M312 398C312 390 318 388 336 388C354 388 360 390 360 398L359 416C358 424 350 426 336 426C322 426 314 424 313 416Z';
const rearBase =
  'M292 484C292 474 298 470 310 469L384 467C396 467 402 472 402 484C404 510 404 536 402 566C370 570 326 570 294 566C292 540 291 510 292 484Z';
const rearBack =
  'M293 568C293 560 298 558 304 558C332 561 364 561 392 557C400 557 404 561 404 569C403 590 400 606 392 618C384 626 306 628 298 620C294 606 293 588 293 568Z';
const rearHead =
  'M322 606C323 599 330 597 348 597C366 597 373 599 374 606L373 622C372 630 364 632 348 632C332 632 324 630 323 622Z';
const middleBase = symmetric(
  curve('M240 472C262 472 278 471 286 474C288 500 288 536 287 566C270 569 256 570 240 570'),
  cabinWidth,
);
const middleBack = symmetric(
  curve('M240 560C262 560 278 558 287 561C290 584 290 604 288 620C276 626 258 627 240 627'),
  cabinWidth,
);
const middleHead = symmetric(
  curve('M240 602C254 602 260 603 261 609L260 622C259 628 254 630 240 630'),
  cabinWidth,
);
const frontCarpet = 'M270 150L404 150L406 380L270 380Z';
const rearCarpet = 'M286 380L406 380L406 482L286 482Z';
const middleCarpet = symmetric(curve('M240 380L286 380L286 482L240 482'), cabinWidth);
const tunnel = symmetric(
  curve('M240 150C262 150 272 154 274 164C276 240 276 320 272 396C270 410 262 416 240 416'),
  cabinWidth,
);
const wheel = { x: 144, y: 186 };

const layers: (Shape | Area)[] = [
  ...shapes('body', shell),
  ...shapes('pane', windscreen),
  ...shapes('gap', windscreen),
  ...shapes('carpet', floor),
  ...both(
    area('carpet_front_right', 'carpet', frontCarpet),
    area('carpet_rear_right', 'carpet', rearCarpet),
  ),
  area('carpet_rear_center', 'carpet', middleCarpet),
  ...both(
    ...shapes(
      'crease',
      roundedRectangle(290, 182, 98, 56, 8),
      roundedRectangle(296, 428, 98, 34, 6),
    ),
  ),
  ...both(area('dashboard_right', 'upholstery', region(dashTop, dashSide, dashBottom, dashCut))),
  area('dashboard_center', 'upholstery', across(dashTop, dashCut, dashBottom)),
  ...shapes('crease', 'M100 108C160 96 320 96 380 108'),
  ...shapes('lens', roundedRectangle(202, 112, 76, 34, 5)),
  ...shapes('trim', roundedRectangle(110, 121, 72, 22, 11)),
  ...both(
    ...shapes('crease', roundedRectangle(376, 122, 21, 9, 3)),
    ...shapes('crease', roundedRectangle(284, 120, 12, 24, 3)),
  ),
  ...shapes('crease', 'M312 146C330 140 360 138 394 144', roundedRectangle(216, 154, 48, 8, 4)),
  ...both(...shapes('gap', stretch(dashBottom, axis, dashSide))),
  area('center_console', 'trim', tunnel),
  ...shapes('gap', tunnel),
  ...shapes('lens', roundedRectangle(222, 190, 36, 44, 8)),
  ...shapes('rim', circle(240, 212, 10)),
  ...shapes('crease', circle(228, 258, 10), circle(252, 258, 10)),
  ...shapes('upholstery', roundedRectangle(214, 300, 52, 104, 14)),
  ...shapes(
    'crease',
    roundedRectangle(214, 300, 52, 104, 14),
    'M222 312L258 312',
    circle(240, 212, 10),
  ),
  ...both(
    area('front_right_seat_base', 'upholstery', frontBase),
    area('front_right_seat_backrest', 'upholstery', frontBack),
  ),
  ...both(
    ...seams(336, 243, 346),
    ...shapes('gap', frontBase, frontBack),
    ...shapes('headrest', frontHead),
  ),
  ...both(
    area('rear_right_seat_base', 'upholstery', rearBase),
    area('rear_right_seat_backrest', 'upholstery', rearBack),
  ),
  area('rear_center_seat_base', 'upholstery', middleBase),
  area('rear_center_seat_backrest', 'upholstery', middleBack),
  ...both(
    ...seams(348, 467, 558),
    ...shapes('gap', rearBase, rearBack),
    ...shapes('headrest', rearHead),
  ),
  ...shapes('gap', middleBase, middleBack),
  ...shapes('crease', 'M222 480C219 510 219 540 222 562', 'M258 480C261 510 261 540 258 562'),
  ...shapes('headrest', middleHead),
  ...both(
    area('right_front_door_trim', 'upholstery', frontTrim),
    area('right_rear_door_trim', 'upholstery', rearTrim),
  ),
  ...both(
    ...shapes('gap', frontTrim, rearTrim),
    ...shapes(
      'crease',
      roundedRectangle(411, 250, 16, 70, 7),
      roundedRectangle(412, 450, 15, 62, 7),
    ),
    ...shapes(
      'handle',
      roundedRectangle(414, 204, 9, 26, 4.5),
      roundedRectangle(414, 408, 9, 26, 4.5),
    ),
  ),
  area('steering_wheel', 'trim', ellipse(wheel.x, wheel.y, 50, 31)),
  ...shapes('carpet', ellipse(wheel.x, wheel.y, 40, 22)),
  ...shapes(
    'trim',
    `M104 182C118 178 128 174 144 174C160 174 170 178 184 182L184 190C168 190 160 196 156 207L132 207C128 196 120 190 104 190Z`,
  ),
  ...shapes('gap', ellipse(wheel.x, wheel.y, 50, 31), ellipse(wheel.x, wheel.y, 40, 22)),
  ...shapes('handle', ellipse(wheel.x, wheel.y, 14, 9)),
  ...shapes('pane', rearWindow),
  ...shapes('gap', rearWindow),
  ...shapes('outline', shell),
  ...headliner,
];

/** Seams and bolsters of a seat whose cushion begins at this height and ends at the other. */
function seams(x: number, front: number, rear: number): Shape[] {
  const side = (sign: 1 | -1) =>
    `M${x + sign * 37} ${front + 5}C${x + sign * 31} ${front + 40} ${x + sign * 31} ${rear - 30} ${x + sign * 36} ${rear}`;
  const backSide = (sign: 1 | -1) =>
    `M${x + sign * 38} ${rear + 10}C${x + sign * 36} ${rear + 26} ${x + sign * 35} ${rear + 38} ${x + sign * 33} ${rear + 50}`;
  const cross = (y: number) =>
    `M${x - 32} ${y}C${x - 12} ${y + 4} ${x + 12} ${y + 4} ${x + 32} ${y}`;
  return [
    ...shapes(
      'shade',
      `M${x - 53} ${rear}C${x - 30} ${rear - 10} ${x + 30} ${rear - 10} ${x + 53} ${rear}C${x + 30} ${rear + 5} ${x - 30} ${rear + 5} ${x - 53} ${rear}Z`,
    ),
    ...shapes(
      'crease',
      side(1),
      side(-1),
      backSide(1),
      backSide(-1),
      cross(front + 36),
      cross(front + 68),
    ),
  ];
}

export const interiorView: View = {
  name: 'interior',
  width: 740,
  height: 710,
  layers,
  labels: [{ text: 'headliner', x: 606, y: 150 }],
};
