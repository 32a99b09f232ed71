import 'maplibre-gl/dist/maplibre-gl.css';
import { setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';

// From the origin of the page, as its policy asks for: no worker is made from text.
setWorkerUrl(new URL(workerUrl, location.href).href);

export {
  AttributionControl,
  addProtocol,
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  Popup,
  ScaleControl,
} from 'maplibre-gl';

/** Where the browser or the machine has no WebGL, there is no map. */
export function canDrawMaps(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2');
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
