import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildInfo, buildName } from '../build-info.ts';

/** Where the page at / leads to. */
export type HomeLink = { name: string; path: string; title: string; description: string };

/** At /, a page for browsers and JSON for programs. Of the links, those that are served. */
export function registerHome(app: FastifyInstance, links: readonly HomeLink[]): void {
  const served = () => links.filter(({ path }) => app.hasRoute({ method: 'GET', url: path }));
  app.get('/', async ({ headers }, reply) => {
    reply.headers({ vary: 'Accept', 'cache-control': 'no-cache' });
    if (prefersHtml(headers.accept ?? '')) {
      reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
      return page(served());
    }
    return {
      name: 'Motorpool',
      ...buildInfo,
      links: Object.fromEntries(served().map(({ name, path }) => [name, path])),
    };
  });
}

/** Browsers name HTML, and clients that take anything get JSON. */
function prefersHtml(accept: string): boolean {
  const html = accept.search(/\btext\/html\b/i);
  const json = accept.search(/\bapplication\/json\b/i);
  return html >= 0 && (json < 0 || html < json);
}

const style = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #5b6b7b; --paper: #f3f5f8; --card: #fff; --line: #d5dce4; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7edf4; --soft: #9fb0c0; --paper: #10161d; --card: #1a232d; --line: #33414f; --accent: #6fb2f5; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 2rem 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 44rem; }
svg { width: 4.5rem; height: auto; color: var(--accent); }
h1 { margin: .5rem 0 0; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
p { margin: .375rem 0 0; color: var(--soft); }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin: 2rem 0 1.5rem; }
nav a { display: block; padding: 1.25rem; color: inherit; text-decoration: none; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
nav a:hover { border-color: var(--accent); }
nav strong { color: var(--accent); font-size: 1.0625rem; }
nav span { display: block; margin-top: .25rem; color: var(--soft); font-size: .9375rem; }
footer { color: var(--soft); font-size: .875rem; }
code { font-family: ui-monospace, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const drawing = `<svg viewBox="0 0 72 36" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
<path d="M10 27H5c-2 0-3-1-3-3v-4c0-3 2-5 5-5l8-1L25 5c1-2 3-2 5-2h14c2 0 4 1 6 2l10 9 6 2c3 1 4 3 4 6v2c0 2-1 3-3 3h-5M24 27h24M16 14h44M38 3v11"/>
<circle cx="17" cy="27" r="6"/><circle cx="55" cy="27" r="6"/>
</svg>`;

function page(links: readonly HomeLink[]): string {
  const items = links.map(
    ({ path, title, description }) =>
      `<a href="${path}"><strong>${title}</strong><span>${description}</span></a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Motorpool</title>
<style>${style}</style>
</head>
<body>
<main>
${drawing}
<h1>Motorpool</h1>
<p>Vehicles, telemetry, charging, maintenance and all that a fleet records, over HTTP and JSON.</p>
<nav>
${items.join('\n')}
</nav>
<footer>Version ${buildName} · the interface is below <code>/api/fleets/v1</code></footer>
</main>
</body>
</html>
`;
}
