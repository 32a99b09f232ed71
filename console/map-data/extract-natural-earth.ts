import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import { simplify } from './simplify.ts';

/**
 * Makes natural-earth.json, the rivers, lakes, towns and names of the base map as TopoJSON, from files of Natural Earth
 * (public domain) in the folder that is named: node console/map-data/extract-natural-earth.ts <folder>
 */

const [folder = '.'] = process.argv.slice(2);

type Properties = Record<string, string | number | null | undefined>;

function read(name: string): Feature<Geometry, Properties>[] {
  const collection: FeatureCollection<Geometry, Properties> = JSON.parse(
    readFileSync(join(folder, name), 'utf8'),
  );
  return collection.features.filter(({ geometry }) => geometry);
}

/** Steps in a degree: a step is about 200 m. */
const scale = 500;
const arcs: number[][][] = [];

/** The index of a new arc: its first position, then the steps from each to the next. */
function addArc(line: Position[]): number {
  const steps = line.map(([x = 0, y = 0], at) => {
    const [fromX = 0, fromY = 0] = line[at - 1] ?? [];
    return [
      Math.round(x * scale) - Math.round(fromX * scale),
      Math.round(y * scale) - Math.round(fromY * scale),
    ];
  });
  return arcs.push(steps) - 1;
}

function toTopology(geometry: Geometry, properties: Properties): object {
  const one = (line: Position[]) => [addArc(line)];
  const { type } = geometry;
  switch (type) {
    case 'Point':
      return {
        type,
        properties,
        coordinates: geometry.coordinates.map((x) => Math.round(x * scale)),
      };
    case 'LineString':
      return { type, properties, arcs: one(geometry.coordinates) };
    case 'MultiLineString':
    case 'Polygon':
      return { type, properties, arcs: geometry.coordinates.map(one) };
    case 'MultiPolygon':
      return { type, properties, arcs: geometry.coordinates.map((rings) => rings.map(one)) };
    default:
      throw new Error(`Natural Earth has no ${type}`);
  }
}

/** Shapes, with the zoom from which they are drawn; what only the closest views have is left out. */
function shapes(name: string, tolerance: number, maxZoom: number): object {
  const geometries = read(name)
    .filter(({ properties }) => Number(properties.min_zoom) <= maxZoom)
    .flatMap(({ geometry, properties }) => {
      const simple = simplify(geometry, tolerance);
      return simple ? toTopology(simple, { zoom: properties.min_zoom ?? 0 }) : [];
    });
  return { type: 'GeometryCollection', geometries };
}

const point = (lng: number, lat: number, properties: Properties) =>
  toTopology({ type: 'Point', coordinates: [lng, lat] }, properties);

/** Countries by their code, whose names the browser knows in every language. */
const countries = read('ne_50m_admin_0_countries.geojson')
  .filter(({ properties: { ISO_A2_EH: code } }) => code !== '-99')
  .map(({ properties: { ISO_A2_EH: country, LABEL_X: lng, LABEL_Y: lat, MIN_LABEL: zoom } }) =>
    point(Number(lng), Number(lat), { country, zoom }),
  );

const cities = read('ne_10m_populated_places.json')
  .filter(
    ({ properties: { min_zoom: zoom, POP_MAX: people } }) =>
      Number(zoom) < 6 || (Number(zoom) < 8 && Number(people) > 40_000),
  )
  .toSorted((a, b) => Number(b.properties.POP_MAX) - Number(a.properties.POP_MAX))
  .map(
    ({ geometry, properties: { NAME: name, NAME_DE: german, ADM0CAP: isCapital, min_zoom } }) => {
      const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
      return point(lng, lat, {
        name,
        ...(german && german !== name && { de: german }),
        ...(isCapital && { capital: 1 }),
        zoom: min_zoom,
      });
    },
  );

const topology = {
  type: 'Topology',
  transform: { scale: [1 / scale, 1 / scale], translate: [0, 0] },
  objects: {
    places: { type: 'GeometryCollection', geometries: [...countries, ...cities] },
    rivers: shapes('ne_10m_rivers_lake_centerlines.json', 0.02, 7),
    lakes: shapes('ne_10m_lakes.json', 0.015, 5.5),
    'urban-areas': shapes('ne_50m_urban_areas.geojson', 0.006, 7),
  },
  arcs,
};
writeFileSync(join(import.meta.dirname, 'natural-earth.json'), `${JSON.stringify(topology)}\n`);
