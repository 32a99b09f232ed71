export type Place = { zoom: number; center: [lng: number, lat: number] };

export function parsePlace(text: string): Place | undefined {
  const [zoom = Number.NaN, lat = Number.NaN, lng = Number.NaN] = text.split('/').map(Number);
  const isPlace = zoom >= 0 && zoom <= 22 && Math.abs(lat) <= 85 && Math.abs(lng) <= 180;
  return isPlace ? { zoom, center: [lng, lat] } : undefined;
}

export function formatPlace(zoom: number, lat: number, lng: number): string {
  const east = ((((lng + 180) % 360) + 360) % 360) - 180;
  return [zoom.toFixed(2), lat.toFixed(5), east.toFixed(5)].map(Number).join('/');
}
