import { type Curve, flipped, region } from './geometry.ts';
import { type Area, type Shape, withMirrored } from './view.ts';

/** How to draw what is symmetric by its right half; the axis is in the middle of the width. */
export function symmetryOf(width: number) {
  const other = (edge: Curve) => flipped(edge, width);
  return {
    /** The shapes and their mirror images: of an area of one side, the one of the other. */
    both: <T extends Shape | Area>(...those: T[]) => withMirrored(those, width),
    /** The region between two edges that begin on the axis, from a cut to its mirror image. */
    across: (top: Curve, cut: Curve, bottom: Curve) =>
      region(top, cut, bottom, other(bottom), other(cut), other(top)),
  };
}
