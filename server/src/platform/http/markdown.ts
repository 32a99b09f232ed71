import { Marked, type Token, type Tokens } from 'marked';

/** A page of Markdown, rendered: its parts are HTML. */
export type MarkdownPage = {
  title: string;
  /** The first paragraph, as text. */
  summary: string;
  html: string;
  /** By the id of a heading of the third level. */
  sections: ReadonlyMap<string, MarkdownSection>;
};

/** What stands below a heading, and the heading above that one. */
type MarkdownSection = { title: string; group: string; html: string };

type Links = {
  /** Where a link of the text leads to. */
  resolve(href: string): string;
};

/** Renders Markdown; HTML in it is shown as text. */
export function renderMarkdown(text: string, { resolve }: Links): MarkdownPage {
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code: ({ text, lang }) => codeBlock(text, lang ?? ''),
      table(token) {
        return `<div class="table">${tableOf(this, token)}</div>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const sections = new Map<string, MarkdownSection>();
  let group = '';
  for (const [index, token] of tokens.entries()) {
    if (!isHeading(token)) continue;
    if (token.depth === 2) group = plain(token.text);
    if (token.depth !== 3) continue;
    const rest = tokens.slice(index + 1);
    const end = rest.findIndex((one) => isHeading(one) && one.depth <= 3);
    const below = end < 0 ? rest : rest.slice(0, end);
    const html = marked.parser(below);
    sections.set(idOf(token.text), { title: plain(token.text), group, html });
  }
  const title = tokens.find(isHeading)?.text ?? '';
  const first = tokens.find((token) => token.type === 'paragraph') as Tokens.Paragraph | undefined;
  return {
    title: plain(title),
    summary: plain(first?.text ?? ''),
    html: marked.parser(tokens),
    sections,
  };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';

type Parts = { parser: { parseInline(tokens: Token[]): string } };

function tableOf({ parser }: Parts, { header, rows }: Tokens.Table): string {
  const row = (tag: string, cells: Tokens.TableCell[]) =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row('td', cells)).join('\n');
  return `<table><thead>${row('th', header)}</thead>\n<tbody>${body}</tbody></table>`;
}

/** The name of a file, where the block has one, stands above it; other words of its info are for the tests. */
function codeBlock(text: string, info: string): string {
  const file = /\s(\w[\w-]*\.\w+)/.exec(info)?.[1];
  const isOutput = /\boutput\b/.test(info);
  const caption = file ?? (isOutput ? outputCaption(info) : undefined);
  const label = caption ? `<figcaption>${escapeHtml(caption)}</figcaption>` : '';
  return `<figure${isOutput ? ' class="output"' : ''}>${label}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
}

const outputCaption = (info: string) => (info.startsWith('json') ? 'Answer' : 'Output');

/** As GitHub makes them, for the links within a page. */
function idOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const plain = (text: string) =>
  text
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\n', ' ');

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
