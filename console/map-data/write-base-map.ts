import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Feature, FeatureCollection, GeoJsonObject } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { simplify } from './simplify.ts';

const require = createRequire(import.meta.url);

/** By resolution of Natural Earth: what is closer to a line, in degrees, is not seen where it is shown. */
const tolerances = { '110m': 0, '50m': 0.008, '10m': 0.006 };

type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
type Details = Topology<Record<string, GeometryCollection>>;

/** Writes the base map as GeoJSON, which the map's worker parses by itself. docs/decisions/0058-map.md */
export function writeBaseMap(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: GeoJsonObject) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
  for (const [resolution, tolerance] of Object.entries(tolerances)) {
    const world = readTopology<World>(require.resolve(`world-atlas/countries-${resolution}.json`));
    const { countries, land } = world.objects;
    const [shape] = feature(world, land).features;
    const borders = mesh(world, countries, (a, b) => a !== b);
    if (!shape) throw new Error(`world-atlas has no land at ${resolution}`);
    write(`land-${resolution}`, simplify(shape.geometry, tolerance) ?? shape.geometry);
    write(`borders-${resolution}`, simplify(borders, tolerance) ?? borders);
  }
  const details = readTopology<Details>(join(import.meta.dirname, 'natural-earth.json'));
  for (const [name, object] of Object.entries(details.objects)) {
    const { type, features } = feature(details, object);
    write(name, { type, features: features.map(rounded) } as FeatureCollection);
  }
}

const rounded = (one: Feature): Feature => ({
  ...one,
  geometry: simplify(one.geometry, 0) ?? one.geometry,
});

const readTopology = <Kind extends Topology>(file: string): Kind =>
  JSON.parse(readFileSync(file, 'utf8'));
