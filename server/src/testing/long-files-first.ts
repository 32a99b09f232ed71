import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest first, so that none is left for the end; the size of a file does not tell.
const longFiles = [
  'fleet/contract-isolation.test.ts',
  'fleet/contract-input.test.ts',
  'fleet/telemetry/boxes/mqtt.test.ts',
  'owasp-properties.test.ts',
  'fleet/contract-fuzz.test.ts',
  'commands/commands.test.ts',
  'rolling-upgrade.test.ts',
  'fleet/incidents/incident-ocr.test.ts',
  'documents.test.ts',
  'commands/backup.test.ts',
  'commands/restore-failures.test.ts',
  'commands/demo.test.ts',
  'commands/worker.test.ts',
  'fleet/audit/audit-trail.test.ts',
];

/** The order of the test files: the long ones, then those that vitest has found or guesses to be longer. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const index = longFiles.findIndex((name) => moduleId.endsWith(`/server/src/${name}`));
  return index < 0 ? longFiles.length : index;
}
