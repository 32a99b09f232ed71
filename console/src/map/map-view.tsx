import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import { useConnection } from '../session/connection.tsx';
import type { Language } from '../texts/languages.ts';
import { useLocalization, useTexts } from '../texts/texts-provider.tsx';
import { baseMap, refineOutlines } from './base-map.ts';
import type { Scheme } from './map-colours.ts';
import { drawMapImage } from './map-images.ts';
import {
  AttributionControl,
  canDrawMaps,
  MapLibre,
  NavigationControl,
  ScaleControl,
} from './map-libre.ts';
import classes from './map-view.module.css';

type Props = {
  /** Names the map for readers of the screen. */
  label: string;
  center?: [lng: number, lat: number] | undefined;
  zoom?: number | undefined;
  /** Once, when there is a map; what it returns ends it. */
  onMap(map: MapLibre): () => void;
  /** Whenever a style has been loaded, which has none of the layers of before. */
  onStyle(scheme: Scheme): void;
  /** Over the map. */
  children?: ReactNode;
};

const canDraw = canDrawMaps();

/** A map in the colours of the theme. Where there is no WebGL, words to say so. */
export function MapView({ label, center, zoom, onMap, onStyle, children }: Props) {
  const { map: texts } = useTexts();
  const { language } = useLocalization();
  const { settings } = useConnection();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<MapLibre>();
  const [isLoaded, setIsLoaded] = useState(false);
  const create = useEffectEvent((element: HTMLElement) => {
    const created = new MapLibre({
      container: element,
      center: center ?? [10, 50],
      zoom: zoom ?? 3,
      maxZoom: 18,
      attributionControl: false,
      // Frames that fade are drawn again and again.
      fadeDuration: 0,
      dragRotate: false,
      pitchWithRotate: false,
      locale: { ...texts.controls, 'Map.Title': label },
    });
    created.touchZoomRotate.disableRotation();
    created.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    created.addControl(new ScaleControl(), 'bottom-left');
    created.addControl(new AttributionControl({ compact: true }), 'bottom-right');
    created.setMissingStyleImageResolver(async (name) => {
      const drawn = drawMapImage(name);
      if (drawn && !created.hasImage(name))
        created.addImage(name, drawn.image, { pixelRatio: drawn.pixelRatio });
    });
    refineOutlines(created);
    return created;
  });
  const begin = useEffectEvent(onMap);
  const styled = useEffectEvent(onStyle);

  useEffect(() => {
    if (!canDraw || !container.current) return;
    const created = create(container.current);
    setMap(created);
    created.once('load', () => setIsLoaded(true));
    const end = begin(created);
    return () => {
      end();
      created.remove();
      setMap(undefined);
      setIsLoaded(false);
    };
  }, []);

  useEffect(() => {
    if (!map) return;
    let isCurrent = true;
    const onLoad = () => {
      if (isCurrent) styled(scheme);
    };
    map.on('style.load', onLoad);
    const loading = operatorStyle(settings.map, scheme, language).catch(() => undefined);
    void loading.then((style = baseMap(scheme, language, texts.attribution)) => {
      if (isCurrent) map.setStyle(style, { diff: false });
    });
    return () => {
      isCurrent = false;
      map.off('style.load', onLoad);
    };
  }, [map, settings.map, scheme, language, texts.attribution]);

  return (
    <div className={classes.view} data-scheme={scheme}>
      {canDraw ? (
        <div ref={container} className={classes.canvas} aria-busy={!isLoaded} />
      ) : (
        <EmptyState icon="map-pin-off" title={texts.noWebGl.title} advice={texts.noWebGl.advice} />
      )}
      {children}
    </div>
  );
}

/** Rejects where it cannot be read. */
async function operatorStyle(
  { styleUrl, tiles }: { styleUrl?: string; tiles?: string } = {},
  scheme: Scheme,
  language: Language,
) {
  if (styleUrl) {
    const { ok, status } = await fetch(styleUrl);
    if (!ok) throw new Error(`${styleUrl}: ${status}`);
    return styleUrl;
  }
  if (!tiles) return undefined;
  const { streetStyle } = await import('./street-style.ts');
  return streetStyle(tiles, scheme, language);
}
