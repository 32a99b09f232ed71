import { expect } from 'vitest';

/** A fenced block of a Markdown page: its language, and the words behind it. */
export type CodeBlock = { language: string; words: string[]; text: string; line: number };

export function codeBlocks(markdown: string): CodeBlock[] {
  const fences = markdown.matchAll(/^```(\w*)[ ]?(.*)\n([\s\S]*?)^```$/gm);
  return [...fences].map(({ 1: language = '', 2: info = '', 3: text = '', index }) => ({
    language,
    words: info.split(' ').filter(Boolean),
    text,
    line: markdown.slice(0, index).split('\n').length,
  }));
}

/** Members whose values stand for themselves; of others the type is compared. */
const exact = new Set(['type', 'status', 'specversion', 'role', 'uploaded', 'expires_in', 'name']);

/** Whether an answer has all that a page shows of it; it may have more. */
export function expectShape(actual: unknown, shown: unknown, at = ''): void {
  if (typeof shown !== 'object' || shown === null) {
    expect(typeof actual, at).toBe(typeof shown);
    if (exact.has(at.split('/').at(-1) ?? '')) expect(actual, at).toBe(shown);
    return;
  }
  expect(Array.isArray(actual), at).toBe(Array.isArray(shown));
  for (const [key, value] of Object.entries(shown)) {
    expect(actual, at).toHaveProperty([key]);
    expectShape((actual as Record<string, unknown>)[key], value, `${at}/${key}`);
  }
}

const quoted = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Whether an output has the lines that a page shows, in their order; … stands for anything. */
export function expectLines(actual: string, shown: string, at = ''): void {
  const lines = shown.trimEnd().split('\n');
  const pattern = lines.map((line) => line.split('…').map(quoted).join('.*'));
  expect(actual, at).toMatch(new RegExp(`^${pattern.join('\\r?$[\\s\\S]*?^')}\\r?$`, 'm'));
}
