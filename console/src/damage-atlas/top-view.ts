import { curve, region, roundedRectangle, stretch, symmetric } from './geometry.ts';
import { symmetryOf } from './symmetry.ts';
import { type Area, area, type Shape, shapes, type View } from './view.ts';

const width = 480;
const height = 920;

/** The front is at the top, so what is drawn on the right is the right side of the vehicle. */
const { both, across } = symmetryOf(width);

const outline = curve(
  'M240 28C298 28 346 34 376 58C398 76 409 110 413 152C416 196 416 250 414 330C412 420 412 560 414 650' +
    'C416 724 414 790 407 832C400 868 376 884 336 889C306 892 270 893 240 893',
);
const axis = curve('M240 0L240 920');
const flank =
  'M350 42C396 80 400 160 398 300C396 480 396 700 390 830C386 860 378 874 360 886C386 880 402 862 407 832C414 790 416 724 414 650C412 560 412 420 414 330C416 250 416 196 413 152C409 110 398 76 376 58C368 51 360 46 350 42Z';
const body = symmetric(outline, width);
const roofFront = curve('M240 376C296 376 338 382 372 398');
const roofSide = curve('M354 366C368 470 368 640 352 812');
const roofRear = curve('M240 806C296 806 336 801 372 788');
const frontRow = curve('M240 478C300 478 340 480 390 484');
const rearRow = curve('M240 654C300 654 340 652 390 648');
const column = curve('M304 360C308 470 308 650 304 820');
const cowl = curve('M240 240C306 240 356 252 400 282');
const cowlEdge = curve('M240 228C306 228 356 240 400 270');
const cowlSide = curve('M392 240L388 300');
const screenSide = curve('M396 262C382 310 366 358 358 404');
const hoodFront = curve('M240 60C300 60 340 68 366 94');
const hoodSide = curve('M350 70C378 120 392 200 392 286');
const bonnetLine = curve('M326 56C340 120 346 180 346 262');
const glassRear = curve('M240 852C300 852 344 848 376 838');
const rearGlassSide = curve('M346 780C356 806 364 828 374 846');

const sideGlass =
  'M370 402C380 470 380 560 379 640C377 700 371 740 364 778C372 790 380 796 386 798C396 740 400 690 401 640' +
  'C402 540 401 430 396 306C386 338 376 372 370 402Z';
const headlamp =
  'M352 62C376 66 394 82 402 106C406 122 407 136 406 146C396 134 380 108 366 92C360 84 354 72 352 62Z';
const tailLamp =
  'M372 874C390 866 400 850 405 826C398 828 390 836 384 846C378 856 374 866 372 874Z';
const mirror =
  'M410 292C418 286 434 282 448 284C458 286 462 294 460 304C458 312 450 316 440 316C428 316 416 312 410 306Z';
const frontPane = 'M240 414L308 414C318 414 324 420 324 430L324 506L240 506Z';
const rearPane = 'M240 506L324 506L324 582C324 592 318 598 308 598L240 598Z';
const antenna =
  'M240 716C246 726 252 744 252 758C252 768 247 773 240 773C233 773 228 768 228 758C228 744 234 726 240 716Z';

const layers: (Shape | Area)[] = [
  ...both(
    ...shapes('body', mirror),
    ...shapes('outline', mirror),
    ...shapes('crease', 'M444 288C449 296 449 304 444 312'),
  ),
  ...shapes('body', body),
  ...both(...shapes('shade', flank)),
  ...shapes(
    'pane',
    across(cowl, screenSide, roofFront),
    across(roofRear, rearGlassSide, glassRear),
  ),
  ...shapes('shine', 'M176 366L150 276L206 262L226 362Z', 'M238 362L220 260L234 259L250 362Z'),
  ...both(
    ...shapes('pane', sideGlass),
    ...shapes('trim', 'M379 566L402 562L402 586L379 586Z'),
    ...shapes('lamp', headlamp),
    ...shapes('tail-lamp', tailLamp),
    ...shapes('gap', headlamp, tailLamp, sideGlass),
    ...shapes('gap', stretch(hoodSide, hoodFront, cowl), stretch(hoodFront, axis, hoodSide)),
    ...shapes('crease', stretch(bonnetLine, hoodFront, cowl), 'M240 874C300 874 350 870 384 856'),
    ...shapes(
      'gap',
      'M396 300C404 296 410 292 414 290',
      'M402 566L413 566',
      'M392 780C402 776 408 772 413 768',
    ),
  ),
  ...shapes('wiper', 'M132 276C176 262 220 256 268 258', 'M232 252C270 252 306 257 340 268'),
  ...shapes('crease', across(cowlEdge, cowlSide, cowl), 'M196 868L284 868'),
  ...shapes('gap', 'M240 848L240 836C262 834 282 832 300 830'),
  ...both(area('roof_upper_right', 'paint', region(roofFront, roofSide, frontRow, column))),
  area('roof_upper_center', 'paint', across(roofFront, column, frontRow)),
  ...both(area('roof_middle_right', 'paint', region(frontRow, roofSide, rearRow, column))),
  area('roof_middle_center', 'paint', across(frontRow, column, rearRow)),
  ...both(area('roof_lower_right', 'paint', region(rearRow, roofSide, roofRear, column))),
  area('roof_lower_center', 'paint', across(rearRow, column, roofRear)),
  ...shapes('gap', across(roofFront, roofSide, roofRear)),
  ...both(...shapes('crease', 'M346 410C355 500 355 640 344 776')),
  ...both(
    area('sunroof_upper_right', 'glass', frontPane),
    area('sunroof_lower_right', 'glass', rearPane),
  ),
  ...shapes('shine', 'M164 588L206 506L232 506L186 594L172 594Z'),
  area('sunroof_center', 'glass', roundedRectangle(204, 466, 72, 80, 16)),
  ...shapes('seal', roundedRectangle(156, 414, 168, 184, 16)),
  area('antenna', 'trim', antenna),
  ...shapes('gap', antenna),
  ...shapes('crease', 'M240 724L240 762'),
  ...shapes('outline', body),
];

export const topView: View = {
  name: 'top',
  width,
  height,
  layers,
  labels: [
    { text: 'left', x: 26, y: 470 },
    { text: 'right', x: 454, y: 470 },
  ],
};
