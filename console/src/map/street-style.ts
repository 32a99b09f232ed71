import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import { PMTiles, Protocol, TileType } from 'pmtiles';
import type { Language } from '../texts/languages.ts';
import { mapColours, mapFont, type Scheme } from './map-colours.ts';
import { addProtocol } from './map-libre.ts';

/** The file of tiles that the service has, as a style: of pictures, or of the layers of a Protomaps base map. */
export async function streetStyle(
  path: string,
  scheme: Scheme,
  language: Language,
): Promise<StyleSpecification> {
  const url = new URL(path, location.href).href;
  const archive = new PMTiles(url);
  const protocol = new Protocol();
  protocol.add(archive);
  addProtocol('pmtiles', protocol.tile);
  const { tileType, minZoom: minzoom, maxZoom: maxzoom } = await archive.getHeader();
  const { attribution } = (await archive.getMetadata()) as { attribution?: string };
  const tiles = { url: `pmtiles://${url}`, minzoom, maxzoom, ...(attribution && { attribution }) };
  return tileType === TileType.Mvt
    ? {
        version: 8,
        sources: { streets: { type: 'vector', ...tiles } },
        layers: streetLayers(scheme, language),
      }
    : {
        version: 8,
        sources: { streets: { type: 'raster', tileSize: 256, ...tiles } },
        layers: [{ id: 'streets', type: 'raster', source: 'streets' }],
      };
}

function streetLayers(scheme: Scheme, language: Language): LayerSpecification[] {
  const { water, land, urban, border, label, halo } = mapColours[scheme];
  const isLight = scheme === 'light';
  const area = (layer: string, color: string): LayerSpecification => ({
    id: layer,
    type: 'fill',
    source: 'streets',
    'source-layer': layer,
    filter: ['==', ['geometry-type'], 'Polygon'],
    paint: { 'fill-color': color },
  });
  const road = (kinds: string[], width: number, color: string): LayerSpecification => ({
    id: `roads-${kinds[0]}`,
    type: 'line',
    source: 'streets',
    'source-layer': 'roads',
    filter: ['in', ['get', 'kind'], ['literal', kinds]],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': color,
      'line-width': [
        'interpolate',
        ['exponential', 1.6],
        ['zoom'],
        6,
        0.2,
        13,
        width,
        18,
        width * 9,
      ],
    },
  });
  const name = ['coalesce', ['get', `name:${language}`], ['get', 'name']];
  const text = { 'text-color': label, 'text-halo-color': halo, 'text-halo-width': 1.4 };
  return [
    { id: 'background', type: 'background', paint: { 'background-color': land } },
    area('earth', land),
    area('landuse', urban),
    area('water', water),
    area('buildings', isLight ? '#dfe3e7' : '#2b3641'),
    road(['path', 'other', 'minor_road'], 1, isLight ? '#ffffff' : '#2f3b48'),
    road(['medium_road', 'major_road'], 2, isLight ? '#ffffff' : '#384656'),
    road(['highway'], 2.6, isLight ? '#dfe5ec' : '#465668'),
    {
      id: 'boundaries',
      type: 'line',
      source: 'streets',
      'source-layer': 'boundaries',
      paint: { 'line-color': border, 'line-width': 1.2, 'line-dasharray': [4, 2] },
    },
    {
      id: 'road-names',
      type: 'symbol',
      source: 'streets',
      'source-layer': 'roads',
      minzoom: 13,
      layout: {
        'symbol-placement': 'line',
        'text-field': name as never,
        'text-font': mapFont,
        'text-size': 11.5,
      },
      paint: text,
    },
    {
      id: 'places',
      type: 'symbol',
      source: 'streets',
      'source-layer': 'places',
      layout: { 'text-field': name as never, 'text-font': mapFont, 'text-size': 13 },
      paint: text,
    },
  ];
}
