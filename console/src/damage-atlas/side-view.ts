import { type Curve, circle, curve, region, roundedRectangle, stretch } from './geometry.ts';
import { type Area, area, mirrorImage, type Shape, shapes, type View } from './view.ts';
import { archAround, wheelDetails } from './wheel.ts';

const width = 940;
const height = 356;
const axle = { front: 212, rear: 740, y: 257 };

const roofline =
  'C306 90 362 58 414 43.5C442 36 480 32 522 32C622 32 722 41 806 59C822 62.5 836 66 848 71';
const tail =
  'C848 75 844 78 839 79C856 100 868 118 876 138C884 152 889 166 890 180C891 196 893 207 896 215' +
  'C899 228 898 246 895 258C892 274 886 286 872 290L804 291';
const nose =
  'M146 291L74 291C62 291 54 286 51 277C47 265 45 252 44.5 240C44 222 45.5 204 50 186C52 178 57 172 65 168.5';
const bonnet = 'C100 151 175 133 258 124';
const silhouette = nose + bonnet + roofline + tail;

const roof = curve(`M244 140L258 124${roofline}`);
const belt = curve('M230 131C330 129.5 480 127 600 121C690 116.5 770 110 900 94');
const rearBelt = belt.slice(1);
const windowTop = curve(
  'M296 135C344 99 390 71 434 57.5C458 50.5 488 47 522 47C612 47 690 54 748 66C770 70.5 790 76 810 84',
);
const windowMiddle = curve('M320 98C420 91 620 85 770 82');
const windowRear = curve('M714 44C729 66 741 90 746 130');
const bFront = curve('M515 36C511 60 505 95 502 140');
const bRear = curve('M541 36C537 60 532 95 529 140');
const railCut = curve('M527 24L525 56');
const hoodLine = curve('M98 173C150 148 225 135 330 126.5');
const shoulder = curve('M96 186C180 169 290 163 420 160.5C560 157.5 720 154 900 146');
const lowerCrease = curve('M280 238C400 236 560 233 690 226');
const sillTop = curve('M240 272C400 269 560 269 700 271');
const sillBottom = curve('M240 297C400 298 560 298 720 297');
const doorFront = curve('M312 116C306 150 299 180 298 215C297 245 300 262 304 286');
const doorMiddle = curve('M512 112C516 160 517 220 512 286');
const doorRear = curve('M751 98C750 138 726 162 702 184C680 206 664 240 658 286');
const fenderFront = curve('M134 140C126 160 121 176 126 192C132 210 144 228 160 245');
const hatchLine = curve(
  'M818 54C838 84 848 108 851 128C855 150 852 178 842 200C832 220 814 231 796 237',
);
const frontArch = archAround(axle.front, axle.y, 72);
const rearArch = archAround(axle.rear, axle.y, 72);
const sillCuts = [curve('M402 260L400 305'), curve('M534 260L534 305')] as const;
const underShoulder = curve('M96 192C180 181 290 178 420 175C560 171 720 165 900 150');
const mirrorCap =
  'M305 117C306 103 313 94 325 91.5C344 88.5 361 91 364 102C365 107 365 112 364 116C344 113.5 324 114 305 117Z';
const mirrorBase =
  'M305 117C324 114 344 113.5 364 116C363 125 359 131 352 134C341 137.5 322 138 311 135C306 132 304.5 125 305 117Z';

const headlamp =
  'M50.5 184C70 171 100 160 136 154.5C139 161 134 171 124 176C102 185.5 76 191.5 48.5 193.5C49 189.5 49.6 186.5 50.5 184Z';
const tailLamp =
  'M845 153C858 150 871 148 882.5 149.5C887 160 889.5 170 890 182C876 187 862 188 849 186C853 175 852 163 845 153Z';
const handle = (x: number, y: number) => roundedRectangle(x, y, 36, 7.5, 3.7);

/** The arch over a wheel down to the underside of the body, before the wheel and behind it. */
function archOver(x: number, arch: Curve, before: number, behind: number) {
  const [left, right] = [
    curve(`M${x} 294L${x - 90} ${before}`),
    curve(`M${x} 294L${x + 90} ${behind}`),
  ];
  return { filled: region(arch, right, left), edge: stretch(arch, left, right) };
}
const arches = [archOver(axle.front, frontArch, 290, 297), archOver(axle.rear, rearArch, 297, 290)];

const layers: (Shape | Area)[] = [
  ...shapes('shadow', 'M60 324C200 313 740 313 890 324C740 335 200 335 60 324Z'),
  ...shapes('body', `${silhouette}Z`),
  ...shapes('trim', 'M51 277C62 272 92 270 141 271L146 291L74 291C62 291 54 286 51 277Z'),
  ...shapes('trim', 'M811 268C846 270 876 268 893 262C890 276 885 287 872 290L804 291Z'),
  ...shapes('arch', ...arches.map((one) => one.filled)),
  area(
    'left_front_fender_lower',
    'paint',
    region(shoulder, doorFront, sillTop, frontArch, fenderFront),
  ),
  area(
    'left_front_fender_upper',
    'paint',
    region(hoodLine, belt, doorFront, shoulder, fenderFront),
  ),
  area('left_rear_fender_lower', 'paint', region(shoulder, hatchLine, rearArch, sillTop, doorRear)),
  area('left_rear_fender_upper', 'paint', region(rearBelt, hatchLine, shoulder, doorRear)),
  area('left_a_pillar', 'paint', region(roof, railCut, windowTop, belt)),
  area('left_c_pillar', 'paint', region(roof, hatchLine, rearBelt, windowRear, windowTop, railCut)),
  area('left_front_door_upper', 'paint', region(belt, doorMiddle, shoulder, doorFront)),
  area('left_front_door_center', 'paint', region(shoulder, doorMiddle, lowerCrease, doorFront)),
  area('left_front_door_lower', 'paint', region(lowerCrease, doorMiddle, sillTop, doorFront)),
  area('left_rear_door_upper', 'paint', region(belt, doorRear, shoulder, doorMiddle)),
  area('left_rear_door_center', 'paint', region(shoulder, doorRear, lowerCrease, doorMiddle)),
  area('left_rear_door_lower', 'paint', region(lowerCrease, doorRear, sillTop, doorMiddle)),
  area('left_side_skirt_front', 'trim', region(sillTop, sillCuts[0], sillBottom, frontArch)),
  area('left_side_skirt_center', 'trim', region(sillTop, sillCuts[1], sillBottom, sillCuts[0])),
  area('left_side_skirt_rear', 'trim', region(sillTop, rearArch, sillBottom, sillCuts[1])),
  ...shapes(
    'shade',
    region(shoulder, hatchLine, underShoulder, fenderFront),
    region(lowerCrease, doorRear, sillTop, doorFront),
  ),
  ...shapes(
    'crease',
    stretch(shoulder, fenderFront, hatchLine),
    stretch(lowerCrease, doorFront, doorRear),
  ),
  ...shapes('lamp', headlamp),
  ...shapes('tail-lamp', tailLamp),
  ...shapes('crease', 'M58 189C84 180 108 173 128 166', 'M851 170C864 171 878 170 889 168'),
  ...shapes('crease', 'M46 214C78 214 104 217 134 223', 'M44.8 246C74 240 104 240 139 246'),
  ...shapes('crease', 'M896 226C868 234 840 240 812 243', roundedRectangle(788, 121, 34, 23, 6)),
  ...shapes(
    'gap',
    stretch(doorFront, belt, sillTop),
    stretch(doorMiddle, belt, sillTop),
    stretch(doorRear, belt, sillTop),
    stretch(fenderFront, hoodLine, frontArch),
    stretch(hatchLine, roof, rearArch),
    stretch(hoodLine, fenderFront, belt),
    stretch(sillTop, frontArch, rearArch),
    headlamp,
    tailLamp,
  ),
  area('left_front_window_upper', 'glass', region(windowTop, bFront, windowMiddle)),
  area('left_front_window_lower', 'glass', region(windowTop, windowMiddle, bFront, belt)),
  area('left_rear_window_upper', 'glass', region(windowTop, windowRear, windowMiddle, bRear)),
  area('left_rear_window_lower', 'glass', region(windowMiddle, windowRear, belt, bRear)),
  ...shapes('shine', 'M402 125L458 57L492 51L440 125Z', 'M448 125L500 50.5L508 50L458 125Z'),
  ...shapes('shine', 'M590 121L622 52L660 54L630 119Z', 'M638 118L668 55L676 56L647 118Z'),
  area('left_b_pillar', 'trim', region(windowTop, bRear, belt, bFront)),
  ...shapes('gap', 'M378 78L374 128'),
  ...shapes('seal', region(windowTop, windowRear, belt)),
  ...shapes(
    'outline',
    silhouette,
    stretch(sillBottom, frontArch, rearArch),
    ...arches.map((one) => one.edge),
  ),
  area('left_front_wheel', 'rubber', circle(axle.front, axle.y, 65)),
  area('left_rear_wheel', 'rubber', circle(axle.rear, axle.y, 65)),
  ...wheelDetails(axle.front, axle.y, 65),
  ...wheelDetails(axle.rear, axle.y, 65),
  ...shapes('handle', handle(460, 142), handle(686, 137)),
  area('left_side_mirror_lower', 'trim', mirrorBase),
  area('left_side_mirror_upper', 'paint', mirrorCap),
  ...shapes('gap', mirrorCap, mirrorBase),
];

export const leftView: View = { name: 'left', width, height, layers, labels: [] };

export const rightView: View = {
  ...leftView,
  name: 'right',
  layers: layers.map((layer) => mirrorImage(layer, width)),
};
