import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

type Values = { [name: string]: unknown };

/** The objects of a chart with these values: by helm where it is installed, else by the part of its language that the chart uses. */
export function renderChart(folder: string, values: Values): Values[] {
  const isInstalled = spawnSync('helm', ['version']).status === 0;
  const texts = isInstalled ? [byHelm(folder, values)] : byTemplates(folder, values);
  return texts
    .flatMap((text) => parseAllDocuments(text))
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as Values | null;
    })
    .filter((one) => one !== null);
}

function byHelm(folder: string, values: Values): string {
  const { status, stdout, stderr } = spawnSync(
    'helm',
    ['template', 'fleet', folder, '--values', '-'],
    { input: JSON.stringify(values), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

function byTemplates(folder: string, values: Values): string[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { appVersion } = parse(read('Chart.yaml')) as { appVersion: string };
  const scope = {
    Values: merge(parse(read('values.yaml')) as Values, values),
    Release: { Name: 'fleet' },
    Chart: { AppVersion: appVersion },
  };
  return globSync('templates/*.yaml', { cwd: folder }).map((name) => render(read(name), scope));
}

function merge(defaults: Values, given: Values): Values {
  const merged = { ...defaults };
  for (const [name, value] of Object.entries(given)) {
    const known = merged[name];
    merged[name] = isObject(known) && isObject(value) ? merge(known, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function render(template: string, scope: Values): string {
  // A dash takes the space before it away.
  const tokens = template.replace(/\s*\{\{-/g, '{{').split(/(\{\{.*?\}\})/);
  const [text, rest] = renderUntilEnd(tokens, scope);
  if (rest.length > 0) throw new Error('A block ends that has not begun.');
  return text;
}

/** The text up to the end of the block, and the tokens after it. */
function renderUntilEnd(tokens: readonly string[], scope: Values): [string, readonly string[]] {
  let text = '';
  let left = tokens;
  while (left.length > 0) {
    const [token = '', ...rest] = left;
    left = rest;
    const code = /^\{\{\s*(.*?)\s*\}\}$/.exec(token)?.[1];
    if (code === undefined) text += token;
    else if (code === 'end') return [text, left];
    else if (/^(if|range) /.test(code)) {
      const inner = left;
      for (const one of scopesOf(code, scope)) text += renderUntilEnd(inner, one)[0];
      left = renderUntilEnd(inner, { ...scope, isSkipped: true })[1];
    } else if (!scope.isSkipped) text += String(evaluate(code, scope));
  }
  return [text, left];
}

/** One for each time that the block is rendered. */
function scopesOf(code: string, scope: Values): Values[] {
  if (scope.isSkipped) return [];
  const [, name = '', value = '', list = ''] = /^range (\$\w+), (\$\w+) := (.+)$/.exec(code) ?? [];
  if (name === '') return evaluate(code.slice('if '.length), scope) ? [scope] : [];
  const entries = Object.entries(evaluate(list, scope) as Values);
  return entries.map(([key, one]) => ({ ...scope, [name]: key, [value]: one }));
}

function evaluate(code: string, scope: Values): unknown {
  const [first = '', ...pipes] = code.split('|').map((part) => part.trim());
  return pipes.reduce(
    (value, pipe) => {
      const [name = '', ...args] = pipe.split(' ');
      return call(name, [...args.map((arg) => evaluateTerm(arg, scope)), value]);
    },
    evaluateCall(first, scope),
  );
}

function evaluateCall(code: string, scope: Values): unknown {
  const [name = '', ...args] = code.split(' ');
  const values = args.map((arg) => evaluateTerm(arg, scope));
  return args.length === 0 ? evaluateTerm(name, scope) : call(name, values);
}

function evaluateTerm(term: string, scope: Values): unknown {
  if (/^\d+$/.test(term)) return Number(term);
  if (term.startsWith('$')) return scope[term];
  if (!term.startsWith('.')) throw new Error(`${term} is no value of a chart.`);
  return term
    .slice(1)
    .split('.')
    .reduce<unknown>((value, name) => {
      if (!isObject(value) || !(name in value)) throw new Error(`${term} has no value.`);
      return value[name];
    }, scope);
}

function call(name: string, args: unknown[]): unknown {
  const [first, second] = args;
  switch (name) {
    case 'quote':
      return JSON.stringify(String(first));
    case 'toJson':
      return JSON.stringify(first);
    case 'default':
      return second || first;
    case 'add':
      return args.reduce<number>((sum, one) => sum + Number(one), 0);
    default:
      throw new Error(`${name} is no function of a chart that is known here.`);
  }
}
