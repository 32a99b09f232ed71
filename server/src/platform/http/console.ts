import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { compressAnswers } from './compression.ts';
import { registerConsoleAssets } from './console-assets.ts';
import { mapTilesPath, registerMapTiles } from './map-tiles.ts';
import type { Role } from './principal.ts';
import { noSuchPath } from './problem.ts';
import { keptDocument, sendDocument } from './send-document.ts';

/** What the console must know before anybody has signed in. */
type ConsoleSettings = {
  version: string;
  /** The one address at which it is used: a sign-in begins and ends there. */
  url: string;
  /** The issuer of a realm, with `{realm}` in the place of its name. */
  issuer: string;
  clientId: string;
  /** Of tokens that carry no role. */
  defaultRole: Role | undefined;
  /** Whether it shows the demo, and a tour of it. */
  isDemo: boolean;
};

export type ConsoleOptions = {
  /** Where its build is. */
  folder: string;
  settings: () => ConsoleSettings;
  map?: MapOptions;
};

/** Where its maps come from; without either, from the console itself. */
export type MapOptions = {
  /** Of a style, with whose origin the browser may then speak. */
  styleUrl?: string | undefined;
  /** A file of tiles. */
  tilesFile?: string | undefined;
};

const noncePlaceholder = '{nonce}';

/** Serves the console, if it is built. docs/decisions/0055-console.md */
export function registerConsole(
  app: FastifyInstance,
  { folder, settings, map = {} }: ConsoleOptions,
): void {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) {
    app.log.warn('The console is not built, and not served: npm run build -w console');
    return;
  }
  const mapSettings = registerMap(app, map);
  const mapOrigin = map.styleUrl && new URL(map.styleUrl).origin;
  registerConsoleAssets(app, join(folder, 'assets'), mapOrigin);
  app.register(async (scope) => {
    compressAnswers(scope);
    scope.get('/console/settings.json', async (_request, reply) => {
      reply.header('cache-control', 'no-cache');
      return { ...settings(), ...mapSettings };
    });
    for (const file of ['color-scheme.js', 'icon.svg']) {
      const type = file.endsWith('.js') ? 'text/javascript' : 'image/svg+xml';
      const document = keptDocument(type, readFileSync(join(folder, file)));
      scope.get(`/console/${file}`, async (request, reply) =>
        sendDocument(request, reply, document),
      );
    }
    const html = readFileSync(index, 'utf8');
    for (const path of ['/console', '/console/*'])
      scope.get(path, async (request, reply) => {
        // A file that is missing is no page: a script would be parsed as one.
        if (/^\/console\/[^/]+\.\w+$/.test(request.url.split('?', 1)[0] ?? '')) throw noSuchPath();
        const nonce = randomBytes(18).toString('base64url');
        reply
          .headers({
            'cache-control': 'no-cache',
            'content-security-policy': policy(nonce, new URL(settings().issuer).origin, mapOrigin),
          })
          .type('text/html; charset=utf-8');
        return html.replaceAll(noncePlaceholder, nonce);
      });
  });
}

function registerMap(app: FastifyInstance, { styleUrl, tilesFile }: MapOptions): object {
  if (styleUrl !== undefined) return { map: { styleUrl } };
  const hasTiles = tilesFile !== undefined && registerMapTiles(app, tilesFile);
  return hasTiles ? { map: { tiles: mapTilesPath } } : {};
}

/** Nothing is loaded from other origins; tokens may come from an external issuer, and maps from where the operator says. */
function policy(nonce: string, issuerOrigin: string, mapOrigin: string | undefined): string {
  const maps = mapOrigin ? ` ${mapOrigin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${maps}`,
    "font-src 'self'",
    `connect-src 'self' ${issuerOrigin}${maps}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
