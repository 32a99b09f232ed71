import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Feature, FeatureCollection, GeoJsonObject } from 'geojson';
import { feature, mesh } from 'topojson-client';
import { simplify } from './simplify.ts';

const require = createRequire(import.meta.url);

type Topology = Parameters<typeof feature>[0];

/** By resolution of Natural Earth: what is closer to a line, in degrees, is not seen where it is shown. */
const outlines = {
  /** For drawings of a few hundred pixels. */
  sketch: { file: require.resolve('world-atlas/countries-50m.json'), tolerance: 0.08 },
  '110m': { file: require.resolve('world-atlas/countries-110m.json'), tolerance: 0 },
  '50m': { file: require.resolve('world-atlas/countries-50m.json'), tolerance: 0.008 },
  '10m': { file: require.resolve('world-atlas/countries-10m.json'), tolerance: 0.006 },
};

/** Writes the base map as GeoJSON, which the map's worker parses by itself. docs/decisions/0058-map.md */
export function writeBaseMap(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: GeoJsonObject) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  for (const [resolution, { file, tolerance }] of Object.entries(outlines)) {
    const world = readTopology(file);
    const [land] = featuresOf(world, 'land');
    const countries = world.objects.countries as Parameters<typeof mesh>[1];
    const borders = mesh(world, countries, (a, b) => a !== b);
    if (!land) throw new Error(`${file} has no land`);
    write(`land-${resolution}`, simplify(land.geometry, tolerance) ?? land.geometry);
    write(`borders-${resolution}`, simplify(borders, tolerance) ?? borders);
  }
  const details = readTopology(join(import.meta.dirname, 'natural-earth.json'));
  for (const name of Object.keys(details.objects)) {
    const features = featuresOf(details, name).map(rounded);
    write(name, { type: 'FeatureCollection', features } as FeatureCollection);
  }
}

const readTopology = (file: string): Topology => JSON.parse(readFileSync(file, 'utf8'));

/** Of a collection. */
function featuresOf(topology: Topology, name: string): Feature[] {
  const object = topology.objects[name];
  if (!object) throw new Error(`There is no ${name}`);
  const made = feature(topology, object);
  return made.type === 'FeatureCollection' ? made.features : [made];
}

const rounded = (one: Feature): Feature => ({
  ...one,
  geometry: simplify(one.geometry, 0) ?? one.geometry,
});
