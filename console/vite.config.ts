import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
  plugins: [react(), precompress()],
  build: {
    target: 'es2023',
    // The first with light-dark(), whose replacement would miss the scheme that a person has chosen.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/realms', '/console/settings.json'].map((path) => [path, service]),
    ),
  },
});

/** Writes each text also compressed, at a level that no answer could wait for. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, 'dist');
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /^assets\/.*\.(js|css|svg|json)$/.test(name))) {
        const content = readFileSync(join(folder, file));
        if (content.length < 1_024) continue;
        writeFileSync(join(folder, `${file}.br`), brotliCompressSync(content));
        writeFileSync(join(folder, `${file}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
