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

const { both, across } = symmetryOf(shellWidth);

const glassTop = curve('M320 47C374 47 420 50 452 58');
const glassSide = curve('M440 44C458 78 480 122 503 176');
const baseTop = curve('M320 122C390 122 440 125 500 132');
const cowl = curve('M320 155C390 155 450 159 500 168C520 171 536 172 570 172');
const baseCut = curve('M386 112L394 165');
const hoodSide = curve('M490 152C512 174 524 194 527 226C528 240 528 262 526 290');
const hoodMiddle = curve('M320 192C400 192 470 196 560 210');
const hoodFront = curve('M320 238C372 238 408 237 436 233C470 226 506 217 580 200');
const lampEnd = curve('M540 200L540 300');
const hoodCut = curve('M402 148C398 178 390 212 380 246');
const fenderFoot = curve('M500 240C530 252 556 261 590 266');
const bumperMiddle = curve('M320 312C400 312 490 308 590 294');
const underside = curve('M320 394L531 392L560 388');
const bumperCut = curve('M402 226C408 262 404 300 396 400');
const grilleTop = curve('M320 247C368 247 396 246.5 440 245');
const grilleSide = curve('M422 240C428 248 426 258 410 276');
const grilleBottom = curve('M320 270C350 270 380 270 420 269');
const grilleCut = curve('M364 240L360 276');
const sideShade = curve('M548 160C546 220 552 300 512 400');
const axis = curve('M320 180L320 300');

const headlamp =
  'M428 252C433 244 446 239 462 234.5C494 226 526 217 556 211C563 219 564 232 560 241C554 249 540 252.5 524 254' +
  'C492 257 458 260.5 437 259.5C429 258.5 425.5 256 428 252Z';
const daylight =
  'M434 254C452 249 500 246 530 243C544 241 553 236 555 229C555 222 553 217 551 214.5';
const ledModule = (x: number, y: number) =>
  `M${x} ${y}L${x + 24} ${y - 6}L${x + 25} ${y + 3}L${x + 2} ${y + 8}Z`;
const fogPod =
  'M474 338C496 327 522 318 549 313C552 327 547 346 537 360C517 364 497 364 480 361C473 353 471 346 474 338Z';
const fogLamp =
  'M488 344C502 338 516 334 532 332C533 337 532 343 529 348C514 351 500 353 489 353C486 350 486 347 488 344Z';
const intake =
  'M226 336C288 331 352 331 414 336C426 349 424 366 408 377C350 381 290 381 232 377C216 366 214 349 226 336Z';
const plate = roundedRectangle(250, 321, 140, 31, 4);
const slat = (y: number, half: number) =>
  `M${320 - half} ${y}C${320 - half / 2} ${y + 0.8} ${320 + half / 2} ${y + 0.8} ${320 + half} ${y}`;

const layers: (Shape | Area)[] = [
  ...ground(),
  ...both(area('front_left_wheel', 'rubber', tyre)),
  ...tyreGrooves(),
  ...both(...shapes('outline', tyre)),
  ...mirrors(),
  ...shapes('body', shell),
  ...shapes('pane', across(glassTop, glassSide, baseTop)),
  ...shapes('shine', 'M222 119L272 51L318 49L276 118Z', 'M288 118L328 49L340 49L302 118Z'),
  ...both(area('front_left_windshield_base', 'glass', region(baseTop, glassSide, cowl, baseCut))),
  area('front_center_windshield_base', 'glass', across(baseTop, baseCut, cowl)),
  ...shapes('gap', across(glassTop, glassSide, cowl)),
  ...shapes('wiper', 'M248 159C288 150 332 145 376 144', 'M340 157C376 151 414 147 452 148'),
  ...both(
    area('front_upper_left_bumper', 'paint', region(hoodFront, side, bumperMiddle, bumperCut)),
  ),
  area('front_upper_center_bumper', 'paint', across(hoodFront, bumperCut, bumperMiddle)),
  ...both(
    area('front_lower_left_bumper', 'paint', region(bumperMiddle, side, underside, bumperCut)),
  ),
  area('front_lower_center_bumper', 'paint', across(bumperMiddle, bumperCut, underside)),
  ...both(area('front_upper_left_hood', 'paint', region(cowl, hoodSide, hoodMiddle, hoodCut))),
  area('front_upper_center_hood', 'paint', across(cowl, hoodCut, hoodMiddle)),
  ...both(area('front_lower_left_hood', 'paint', region(hoodMiddle, hoodSide, hoodFront, hoodCut))),
  area('front_lower_center_hood', 'paint', across(hoodMiddle, hoodCut, hoodFront)),
  ...both(area('front_left_fender', 'paint', region(side, fenderFoot, hoodSide, cowl))),
  ...both(...shapes('gap', stretch(hoodSide, cowl, hoodFront), stretch(fenderFoot, lampEnd, side))),
  ...both(...shapes('gap', stretch(hoodFront, axis, hoodSide))),
  ...both(
    ...shapes('crease', stretch(hoodCut, cowl, hoodFront), stretch(bumperMiddle, bumperCut, side)),
  ),
  ...both(...shapes('shade', region(side, underside, sideShade))),
  ...both(area('front_left_headlight', 'lamp', headlamp)),
  ...both(
    ...shapes('lens', ledModule(474, 241), ledModule(506, 234)),
    ...shapes('gap', headlamp),
    ...shapes('crease', daylight),
  ),
  ...both(
    area('front_left_grille', 'trim', region(grilleTop, grilleSide, grilleBottom, grilleCut)),
  ),
  area('front_center_grille', 'trim', across(grilleTop, grilleCut, grilleBottom)),
  ...shapes('groove', slat(252, 104), slat(258, 102), slat(264, 97)),
  ...shapes('rim', circle(320, 258, 14)),
  ...shapes(
    'gap',
    across(grilleTop, grilleSide, grilleBottom),
    circle(320, 258, 14),
    circle(320, 258, 9),
  ),
  ...shapes('trim', intake),
  ...shapes('groove', slat(357, 96), slat(364, 94), slat(371, 88)),
  ...shapes('gap', intake),
  ...both(area('front_left_fog_light', 'trim', fogPod)),
  ...both(...shapes('lamp', fogLamp), ...shapes('gap', fogLamp, fogPod)),
  area('front_license_plate_area', 'plate', plate),
  ...shapes('gap', plate),
  ...shapes(
    'plate-band',
    'M254 322L262 322L262 351L254 351C252 351 251 350 251 348L251 325C251 323 252 322 254 322Z',
  ),
  ...shapes('outline', shell),
];

export const frontView: View = {
  name: 'front',
  width: shellWidth,
  height: shellHeight,
  layers,
  labels: [
    { text: 'right', x: 34, y: 250 },
    { text: 'left', x: 606, y: 250 },
  ],
};
