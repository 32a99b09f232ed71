import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { writeBaseMap } from './map-data/write-base-map.ts';

const service = process.env.MOTORPOOL_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // The service puts a new one into every page that it serves.
  html: { cspNonce: '{nonce}' },
  // The source of the SDK, whose package is built only for its release.
  resolve: {
    alias: { '@motorpool/client': join(import.meta.dirname, '../client/src/index.ts') },
  },
  plugins: [react(), baseMap(), precompress()],
  build: {
    target: 'es2023',
    // The first with light-dark(), whose replacement would miss the scheme that a person has chosen.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // The library of maps, which only its pages load.
    chunkSizeWarningLimit: 1_200,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/realms', '/console/settings.json'].map((path) => [path, service]),
    ),
  },
});

/** The highest level takes many seconds for the data of the map, and saves little. */
function brotliOptions({ length }: Buffer) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: length > 500_000 ? 9 : 11 } };
}

/** Makes the data of the map, which are imported as files. */
function baseMap(): Plugin {
  return {
    name: 'base-map',
    buildStart: () => writeBaseMap(join(import.meta.dirname, 'src/map/base-map-data')),
  };
}

/** Writes each text also compressed, at a level that no answer could wait for. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /^assets\/.*\.(m?js|css|svg|json)$/.test(name))) {
        const content = readFileSync(join(folder, file));
        if (content.length < 1_024) continue;
        writeFileSync(
          join(folder, `${file}.br`),
          brotliCompressSync(content, brotliOptions(content)),
        );
        writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
