import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import './figures.ts';
import { mergeRows, parseRows, type Row, renderPage } from './reliability-page.ts';

const repository = join(import.meta.dirname, '../../..');
const page = join(repository, 'docs/reliability.md');

/** Prints a line for each test of a fault, and writes docs/reliability.md. */
export class FaultReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const row = rowOf(test);
    if (!row) return;
    const { state, errors } = test.result();
    const mark = { passed: 'ok     ', failed: 'BROKEN ', skipped: 'not run', pending: '' }[state];
    const reason = errors?.map(({ message }) => `\n        ${message}`).join('') ?? '';
    console.log(`${mark} ${row.fault}: ${row.figure} — ${row.promise}${reason}`);
  }

  // After each file, so that a run that is broken off keeps what it has.
  onTestModuleEnd(module: TestModule): void {
    const known = existsSync(page) ? parseRows(readFileSync(page, 'utf8')) : [];
    const tests = [...module.children.allTests()];
    const promises = new Set(tests.map(({ fullName }) => fullName));
    const isTest = ({ file, promise }: Row) =>
      file === fileOf(module) ? promises.has(promise) : existsSync(join(repository, file));
    const run = tests.flatMap((test) => rowOf(test) ?? []);
    writeFileSync(page, renderPage(mergeRows(known, run, isTest), machine()));
  }
}

const fileOf = ({ moduleId }: TestModule) => relative(repository, moduleId);

/** A test that a filter has left out has no row of this run; one that says why it cannot run has. */
function rowOf(test: TestCase): Row | undefined {
  const result = test.result();
  const file = fileOf(test.module);
  const { fault = basename(file).replace(/\..*/, '').replaceAll('-', ' '), figure } = test.meta();
  const row = {
    fault,
    promise: test.fullName,
    file,
    measured: new Date().toISOString().slice(0, 10),
  };
  if (result.state === 'passed') return { ...row, figure: figure ?? 'holds' };
  if (result.state === 'failed') {
    const reason = figure ?? result.errors[0]?.message.slice(0, 200);
    return { ...row, figure: `**broken**: ${reason}` };
  }
  if (result.state === 'skipped' && result.note)
    return { ...row, figure: `not run: ${result.note}` };
  return undefined;
}

function machine(): string[] {
  const [{ model = 'unknown' } = {}] = cpus();
  return [
    `${cpus().length} cores (${model}), ${Math.round(totalmem() / 1_073_741_824)} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node}, the embedded PostgreSQL`,
    `load average ${loadavg()[2]?.toFixed(0)} at the end of the last run: far above the number of cores, times tell of the machine, and promises of times may break`,
  ];
}
