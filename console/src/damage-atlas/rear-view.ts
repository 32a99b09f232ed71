import {
  ground,
  mirrors,
  shell,
  shellHeight,
  shellWidth,
  side,
  tyre,
  tyreGrooves,
} from './body-shell.ts';
import { circle, curve, region, roundedRectangle, stretch } from './geometry.ts';
import { symmetryOf } from './symmetry.ts';
import { type Area, area, type Shape, shapes, type View } from './view.ts';

/** What is drawn on the right is the right side of the vehicle, its mirror image the left one. */
const { both, across } = symmetryOf(shellWidth);

const axis = curve('M320 20L320 420');
const sideShade = curve('M548 160C546 220 552 300 512 400');
const lampTop = curve('M480 184L560 181');
const lampFoot = curve('M480 226L560 225');
const spoilerEnd = curve('M320 58C380 58 424 61 460 70');
const glassTop = curve('M320 60C374 60 418 63 460 71');
const glassSide = curve('M432 50C450 84 468 116 490 162');
const glassMiddle = curve('M320 101C380 101 430 103 490 110');
const glassBottom = curve('M320 146C390 146 440 149 500 157');
const glassCut = curve('M366 52C370 90 374 120 378 160');
const tailgateSide = curve(
  'M436 56C456 92 480 130 506 166C520 190 522 220 516 246C512 270 504 290 494 318',
);
const trunkMiddle = curve('M320 216C400 216 470 214 560 210');
const trunkCut = curve('M386 140C396 180 400 230 398 316');
const fenderTop = curve('M470 150C500 155 530 158 560 160');
const bumperTop = curve('M320 306C400 306 450 304 490 299C530 292 560 284 590 272');
const bumperMiddle = curve('M320 344C400 344 490 341 590 330');
const underside = curve('M320 394L531 392L560 388');
const bumperCut = curve('M412 290C410 330 404 366 398 404');

const tailLamp = region(
  curve('M414 193C446 187 500 181.5 600 179'),
  side,
  curve('M600 222C540 228.5 470 227 424 220'),
  curve('M424 220C414 214 410 201 414 193'),
);
const lampBar = region(
  curve('M415 200C460 194 512 190.5 600 188'),
  curve('M553 170C559 182 561 196 560 214'),
  curve('M600 203C540 206 480 209 415 211'),
  curve('M424 190C424 200 426 206 434 218'),
);
const reflector = 'M470 350C496 348 520 345 544 340L542 350C520 355 496 358 472 360Z';
const plate = roundedRectangle(250, 240, 140, 31, 4);
const diffuser =
  'M214 370C284 364 356 364 426 370C440 376 448 384 452 393L320 394L188 393C192 384 200 376 214 370Z';
const spoiler =
  'M206 52C240 43 280 40 320 40C360 40 400 43 434 52C442 58 446 64 448 70C410 63 366 60.5 320 60.5C274 60.5 230 63 192 70C194 64 198 58 206 52Z';

const layers: (Shape | Area)[] = [
  ...ground(),
  ...both(area('rear_right_wheel', 'rubber', tyre)),
  ...tyreGrooves(),
  ...both(...shapes('outline', tyre)),
  ...mirrors(),
  ...shapes('body', shell),
  ...both(area('rear_right_fender', 'paint', region(side, bumperTop, tailgateSide, fenderTop))),
  ...both(
    area(
      'rear_trunk_upper_right',
      'paint',
      region(glassBottom, tailgateSide, trunkMiddle, trunkCut),
    ),
  ),
  area('rear_trunk_upper_center', 'paint', across(glassBottom, trunkCut, trunkMiddle)),
  ...both(
    area('rear_trunk_lower_right', 'paint', region(trunkMiddle, tailgateSide, bumperTop, trunkCut)),
  ),
  area('rear_trunk_lower_center', 'paint', across(trunkMiddle, trunkCut, bumperTop)),
  ...both(
    area('rear_upper_right_bumper', 'paint', region(bumperTop, side, bumperMiddle, bumperCut)),
  ),
  area('rear_upper_center_bumper', 'paint', across(bumperTop, bumperCut, bumperMiddle)),
  ...both(
    area('rear_lower_right_bumper', 'paint', region(bumperMiddle, side, underside, bumperCut)),
  ),
  area('rear_lower_center_bumper', 'paint', across(bumperMiddle, bumperCut, underside)),
  ...both(...shapes('shade', region(side, underside, sideShade))),
  ...both(
    area(
      'rear_windshield_upper_right',
      'glass',
      region(glassTop, glassSide, glassMiddle, glassCut),
    ),
  ),
  area('rear_windshield_upper_center', 'glass', across(glassTop, glassCut, glassMiddle)),
  ...both(
    area(
      'rear_windshield_lower_right',
      'glass',
      region(glassMiddle, glassSide, glassBottom, glassCut),
    ),
  ),
  area('rear_windshield_lower_center', 'glass', across(glassMiddle, glassCut, glassBottom)),
  ...shapes('shine', 'M232 140L276 66L318 63L280 138Z', 'M292 138L328 63L340 63L306 138Z'),
  ...shapes('seal', across(glassTop, glassSide, glassBottom)),
  ...shapes('body', spoiler),
  ...shapes('gap', spoiler, roundedRectangle(292, 45, 56, 4, 2)),
  ...both(
    ...shapes('gap', stretch(tailgateSide, spoilerEnd, bumperTop), stretch(bumperTop, axis, side)),
    ...shapes(
      'crease',
      stretch(trunkMiddle, axis, tailgateSide),
      stretch(bumperMiddle, axis, side),
    ),
  ),
  ...both(area('rear_right_taillight', 'tail-lamp', tailLamp)),
  ...both(
    ...shapes('gap', tailLamp, stretch(tailgateSide, lampTop, lampFoot)),
    ...shapes('tail-lens', lampBar),
  ),
  ...shapes('trim', diffuser),
  ...shapes(
    'groove',
    ...[250, 285, 320, 355, 390].map((x) => `M${x} 374L${x + (x - 320) * 0.06} 392`),
  ),
  ...shapes('gap', diffuser),
  ...both(...shapes('tail-lamp', reflector), ...shapes('gap', reflector)),
  ...shapes('gap', 'M262 236C262 232 264 230 268 230L372 230C376 230 378 232 378 236'),
  area('rear_license_plate_area', 'plate', plate),
  ...shapes(
    'plate-band',
    'M254 241L262 241L262 270L254 270C252 270 251 269 251 267L251 244C251 242 252 241 254 241Z',
  ),
  ...shapes('gap', plate),
  ...shapes('rim', circle(320, 188, 13)),
  ...shapes('gap', circle(320, 188, 13), circle(320, 188, 8)),
  ...shapes('gap', 'M319 146C302 142 274 138 246 136', circle(320, 147, 4)),
  ...shapes('outline', shell),
];

export const rearView: View = {
  name: 'rear',
  width: shellWidth,
  height: shellHeight,
  layers,
  labels: [
    { text: 'left', x: 34, y: 250 },
    { text: 'right', x: 606, y: 250 },
  ],
};
