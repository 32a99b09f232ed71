import { type Curve, circle, curve } from './geometry.ts';
import { type Shape, shapes } from './view.ts';

/** The upper part of a circle, from below its middle on the left to below it on the right. */
export function archAround(x: number, y: number, radius: number): Curve {
  const at = (dx: number, dy: number) => `${x + dx * radius} ${y + dy * radius}`;
  return curve(
    `M${at(-0.81, 0.585)}C${at(-0.933, 0.415)} ${at(-1, 0.209)} ${at(-1, 0)}` +
      `C${at(-1, -0.5523)} ${at(-0.5523, -1)} ${at(0, -1)}` +
      `C${at(0.5523, -1)} ${at(1, -0.5523)} ${at(1, 0)}` +
      `C${at(1, 0.209)} ${at(0.933, 0.415)} ${at(0.81, 0.585)}`,
  );
}

const spokes = 5;

/** A rim of double spokes with its nuts, over a tyre. */
export function wheelDetails(x: number, y: number, radius: number): Shape[] {
  const opening = (index: number) => {
    const place = polar(x, y, radius, (index / spokes) * 2 * Math.PI);
    return (
      `M${place(0.27, 0.4)}L${place(0.69, 0.15)}C${place(0.725, 0.467)} ${place(0.725, 0.79)} ${place(0.69, 1.107)}` +
      `L${place(0.27, 0.857)}C${place(0.235, 0.78)} ${place(0.235, 0.54)} ${place(0.27, 0.4)}Z`
    );
  };
  const slot = (index: number) => {
    const place = polar(x, y, radius, (index / spokes) * 2 * Math.PI);
    return `M${place(0.3, 0)}L${place(0.67, -0.05)}C${place(0.69, -0.02)} ${place(0.69, 0.02)} ${place(0.67, 0.05)}Z`;
  };
  const each = (path: (index: number) => string) =>
    Array.from({ length: spokes }, (_, index) => path(index));
  return [
    ...shapes('outline', circle(x, y, radius)),
    ...shapes('rim', circle(x, y, radius * 0.78)),
    ...shapes('rubber', ...each(opening), ...each(slot)),
    ...shapes('hairline', circle(x, y, radius * 0.9), circle(x, y, radius * 0.745)),
    ...shapes('rim', circle(x, y, radius * 0.14)),
  ];
}

function polar(x: number, y: number, radius: number, turn: number) {
  return (distance: number, angle: number) => {
    const round = (value: number) => Math.round(value * 100) / 100;
    const whole = turn + angle;
    return `${round(x + Math.sin(whole) * distance * radius)} ${round(y - Math.cos(whole) * distance * radius)}`;
  };
}
