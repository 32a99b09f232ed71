import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { packagedFolder } from '../packaged-folder.ts';
import { guideHtml, guidePolicy } from './guide-html.ts';
import { escapeHtml, type MarkdownPage, renderMarkdown } from './markdown.ts';
import { noSuchPath, problemsPath } from './problem.ts';
import { type KeptDocument, keptDocument, sendDocument } from './send-document.ts';

export const guidesPath = '/docs/guides';

/** The pages for integrators, in the order in which they are listed. */
export const guides = [
  'getting-started',
  'tour',
  'authentication',
  'searching-and-paging',
  'files',
  'events-and-webhooks',
  'errors',
  'limits',
  'versioning-and-deprecation',
] as const;

type GuideName = (typeof guides)[number];

export const guidesFolder = () => packagedFolder('guides', 'docs/guides');

/** Serves the pages, and one for each kind of problem; each is rendered when it is first asked for. */
export function registerGuides(app: FastifyInstance, publicUrl: () => string): void {
  const folder = guidesFolder();
  const pages = new Map<GuideName, MarkdownPage>();
  const pageOf = (name: GuideName) => {
    const page = pages.get(name) ?? readGuide(folder, name, publicUrl());
    pages.set(name, page);
    return page;
  };
  const links = () => guides.map((name) => ({ path: pathOf(name), ...pageOf(name) }));
  const documents = new Map<string, KeptDocument>();
  const send = (request: FastifyRequest, reply: FastifyReply, name: string, html: () => string) => {
    const document = documents.get(name) ?? keptDocument('text/html; charset=utf-8', html());
    documents.set(name, document);
    reply.header('content-security-policy', guidePolicy);
    return sendDocument(request, reply, document);
  };

  app.get(guidesPath, async (request, reply) => {
    const title = 'Guides';
    return send(request, reply, guidesPath, () =>
      guideHtml({ title, body: indexOf(links()), links: links() }),
    );
  });
  app.get<{ Params: { page: string } }>(`${guidesPath}/:page`, async (request, reply) => {
    const name = guides.find((one) => one === request.params.page);
    if (!name) throw noSuchPath();
    const { title, html: body } = pageOf(name);
    const path = pathOf(name);
    return send(request, reply, path, () => guideHtml({ title, body, links: links(), path }));
  });
  app.get<{ Params: { kind: string } }>(`${problemsPath}/:kind`, async (request, reply) => {
    const section = pageOf('errors').sections.get(request.params.kind);
    if (!section) throw noSuchPath();
    const { title, group, html } = section;
    const body = `<p class="group">${escapeHtml(group)}</p>\n<h1>${escapeHtml(title)}</h1>\n${html}<p><a href="${pathOf('errors')}">All kinds of problems</a></p>\n`;
    return send(request, reply, `${problemsPath}/${request.params.kind}`, () =>
      guideHtml({ title, body, links: links(), path: pathOf('errors') }),
    );
  });
}

/** Where the demo is by default; what is pasted from a served page goes to the service that serves it. */
const defaultUrl = 'http://127.0.0.1:8080';

export function readGuide(folder: string, name: GuideName, url = defaultUrl): MarkdownPage {
  const text = readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll(defaultUrl, url);
  return renderMarkdown(text, { resolve });
}

const pathOf = (name: string) => `${guidesPath}/${name}`;

/** Links between the files of the folder become links between the pages. */
const resolve = (href: string) =>
  href.replace(/^([a-z-]+)\.md(?=#|$)/, (_link, name: string) => pathOf(name));

function indexOf(links: readonly { path: string; title: string; summary: string }[]): string {
  const items = links.map(
    ({ path, title, summary }) =>
      `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
  );
  return `<h1>Guides</h1>\n<p>For those who connect a program to the fleet interface. Every example runs as it stands against the demo.</p>\n<ul class="index">\n${items.join('\n')}\n</ul>\n`;
}
