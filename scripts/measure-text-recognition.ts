import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import {
  type SuggestedField,
  suggestedFields,
  suggestionsOf,
} from '../server/src/fleet/incidents/recognition/suggestions.ts';
import { recogniseText } from '../server/src/platform/text-recognition/recognise-text.ts';
import { parseDocument } from '../server/src/platform/text-recognition/recognised-document.ts';
import {
  type DocumentKind,
  documentKinds,
  makeTestDocument,
  testTimeZone,
} from '../server/src/testing/documents/test-documents.ts';

/** Reads documents of every kind, and writes the shares of fields that are found right into docs/ocr.md. */

const page = new URL('../docs/ocr.md', import.meta.url);
const [from, to] = ['<!-- measured -->', '<!-- /measured -->'];
const perKind = Number(process.argv[2] ?? 5);
const onlyKind = process.argv[3];

type Score = { right: number; all: number };
const scores = new Map<string, Score>();
const add = (key: string, isRight: boolean) => {
  const score = scores.get(key) ?? { right: 0, all: 0 };
  scores.set(key, { right: score.right + (isRight ? 1 : 0), all: score.all + 1 });
};
const share = (key: string) => {
  const { right, all } = scores.get(key) ?? { right: 0, all: 0 };
  return all === 0 ? '–' : `${Math.round((100 * right) / all)} %`;
};

const kinds = (Object.keys(documentKinds) as DocumentKind[]).filter(
  (kind) => !onlyKind || kind.includes(onlyKind),
);
for (const kind of kinds) {
  for (let number = 0; number < perKind; number++) {
    const document = await makeTestDocument(kind, number);
    const read = await recogniseText('DE-ABC', () => Readable.from([document.bytes]));
    const found = suggestionsOf(parseDocument(read), {
      licensePlate: document.licensePlate,
      timeZone: testTimeZone,
      now: new Date('2026-12-31'),
    });
    for (const field of suggestedFields) {
      const value = found.find((one) => one.field === field)?.value;
      const isRight = value === document.expected[field];
      if (!isRight)
        console.log(`${kind} ${number}: ${field} is ${value}, not ${document.expected[field]}`);
      for (const key of [kind, `${kind}/${field}`, field, document.language, 'all'])
        add(key, isRight);
    }
  }
  console.log(`${kind}: ${share(kind)}`);
}

if (!onlyKind) {
  const row = (name: string, key: (field: SuggestedField) => string, all: string) =>
    `| ${[name, ...suggestedFields.map((field) => share(key(field))), share(all)].join(' | ')} |`;
  const table = [
    `${kinds.length * perKind} documents, ${perKind} of each kind, half of them in German and half in English ` +
      `(${share('de')} and ${share('en')} of their fields right).`,
    '',
    `| kind | ${suggestedFields.join(' | ')} | all |`,
    `| --- |${' ---: |'.repeat(suggestedFields.length + 1)}`,
    ...kinds.map((kind) => row(kind, (field) => `${kind}/${field}`, kind)),
    row('all', (field) => field, 'all'),
  ].join('\n');
  const text = readFileSync(page, 'utf8');
  const [before = '', after = ''] = [text.split(from)[0], text.split(to)[1]];
  writeFileSync(page, `${before}${from}\n${table}\n${to}${after}`);
}
