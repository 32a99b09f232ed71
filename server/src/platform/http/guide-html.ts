import { hash } from 'node:crypto';
import { escapeHtml } from './markdown.ts';

type GuidePage = {
  title: string;
  body: string;
  links: readonly { path: string; title: string }[];
  /** Of the link that is this page. */
  path?: string;
};

const style = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #566575; --paper: #fff; --side: #f3f5f8; --code: #f3f5f8; --line: #d5dce4; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #dfe7ef; --soft: #9fb0c0; --paper: #10161d; --side: #161e27; --code: #1a232d; --line: #33414f; --accent: #6fb2f5; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); min-height: 100vh; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
nav { padding: 2rem 1.25rem; background: var(--side); border-right: 1px solid var(--line); }
nav div { position: sticky; top: 2rem; }
nav a { display: block; padding: .3rem .75rem; border-radius: .375rem; color: var(--ink); text-decoration: none; }
nav a:hover { color: var(--accent); }
nav a[aria-current] { color: var(--accent); background: var(--paper); font-weight: 600; }
nav .home { margin-bottom: .75rem; font-weight: 700; font-size: 1.125rem; }
nav hr { margin: .75rem; border: 0; border-top: 1px solid var(--line); }
main { width: 100%; max-width: 62rem; padding: 2rem 2.5rem 4rem; }
main > p, main > ul, main > ol { max-width: 46rem; }
h1 { margin: 0 0 1rem; font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
h3 { margin: 2rem 0 .5rem; font-size: 1.0625rem; }
p, ul, ol { margin: 0 0 1rem; }
ul, ol { padding-left: 1.4rem; }
li { margin: .25rem 0; }
main a { color: var(--accent); }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--code); border-radius: .25rem; padding: .1em .3em; overflow-wrap: break-word; }
figure { margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: .5rem; overflow: hidden; }
figcaption { padding: .375rem 1rem; border-bottom: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }
pre { margin: 0; padding: .875rem 1rem; overflow-x: auto; background: var(--code); line-height: 1.5; }
.output pre { background: none; }
pre code { padding: 0; font-size: .8125rem; background: none; overflow-wrap: normal; }
.table { margin: 0 0 1.25rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
.group { margin: 0; color: var(--soft); }
.index { padding: 0; list-style: none; }
.index li { margin: 0 0 1.25rem; }
.index a { font-size: 1.125rem; font-weight: 600; }
.index p { margin: .125rem 0 0; color: var(--soft); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { padding: 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  nav div { position: static; display: flex; flex-wrap: wrap; gap: .125rem; }
  nav a { padding: .2rem .5rem; font-size: .9375rem; }
  nav .home { width: 100%; margin: 0; }
  nav hr { display: none; }
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.625rem; }
}
`;

/** Nothing is loaded and no script runs. */
export const guidePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function guideHtml({ title, body, links, path }: GuidePage): string {
  const items = links.map((link) => {
    const current = link.path === path ? ' aria-current="page"' : '';
    return `<a href="${link.path}"${current}>${escapeHtml(link.title)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Motorpool</title>
<style>${style}</style>
</head>
<body>
<nav aria-label="Guides"><div>
<a class="home" href="/">Motorpool</a>
${items.join('\n')}
<hr>
<a href="/docs">Reference</a>
</div></nav>
<main>
${body}</main>
</body>
</html>
`;
}
