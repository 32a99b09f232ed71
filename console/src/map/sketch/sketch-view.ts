/** A part of the world on a small drawing, in the projection of Mercator. */

export type Position = { lat: number; lng: number };
export type Point = [x: number, y: number];

export const width = 360;
export const height = 240;
/** So that what is drawn around a position is not cut. */
const padding = 26;
/** Where all are in one town, enough is shown to tell which. */
const leastSpan = 4;
/** Vehicles that move a little leave the drawing where it is. */
const step = 0.5;

export type SketchView = { west: number; north: number; pixelsPerDegree: number };

const radians = Math.PI / 180;
const maxLatitude = 85;

/** Latitude, stretched as the projection does, in degrees of longitude. */
const stretched = (lat: number): number => {
  const within = Math.max(-maxLatitude, Math.min(maxLatitude, lat));
  return Math.log(Math.tan(Math.PI / 4 + (within * radians) / 2)) / radians;
};

/** Shows all positions; undefined without one. */
export function fitView(positions: readonly Position[]): SketchView | undefined {
  if (positions.length === 0) return undefined;
  const range = (values: number[]) => {
    const low = Math.floor(Math.min(...values) / step) * step;
    const high = Math.ceil(Math.max(...values) / step) * step;
    return { middle: (low + high) / 2, span: Math.max(high - low, leastSpan) };
  };
  const x = range(positions.map(({ lng }) => lng));
  const y = range(positions.map(({ lat }) => stretched(lat)));
  const pixelsPerDegree = Math.min((width - 2 * padding) / x.span, (height - 2 * padding) / y.span);
  return {
    west: x.middle - width / 2 / pixelsPerDegree,
    north: y.middle + height / 2 / pixelsPerDegree,
    pixelsPerDegree,
  };
}

export function project(view: SketchView, { lat, lng }: Position): Point {
  return [
    (lng - view.west) * view.pixelsPerDegree,
    (view.north - stretched(lat)) * view.pixelsPerDegree,
  ];
}
