import { writeFileSync } from 'node:fs';
import manifest from '../server/package.json' with { type: 'json' };
import { runNpm } from './run-npm.ts';

/** Writes what the service is made of, without what only its development needs, to sbom.cdx.json (CycloneDX). */

type Component = { name: string; version: string; 'bom-ref': string };

const file = 'sbom.cdx.json';
const { status, json, stderr } = runNpm(
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--omit=dev',
  '--workspace=motorpool',
);
if (status !== 0 || json === undefined) throw new Error(`npm sbom failed: ${stderr}`);
const bill = json as { metadata: { component: Component }; components: Component[] };
// npm names the folder that it runs in.
Object.assign(bill.metadata.component, { name: manifest.name, version: manifest.version });
writeFileSync(new URL(`../${file}`, import.meta.url), `${JSON.stringify(bill, null, 2)}\n`);
process.stdout.write(`${file}: ${bill.components.length} components\n`);
