import { BaseSequencer, type TestSpecification } from 'vitest/node';

// The longest first, so that none is left for the end; the size of a file does not tell.
const longFiles = [
  'fleet/contract-isolation.test.ts',
  'commands/processes.slow.ts',
  'commands/demo.slow.ts',
  'documents.test.ts',
  'fleet/telemetry/boxes/mqtt.test.ts',
  'fleet/contract-fuzz.test.ts',
  'fleet/incidents/incident-ocr.slow.ts',
  'platform/text-recognition/recognise-text.slow.ts',
  'demo/seed.test.ts',
  'fleet/contract-input.test.ts',
  'commands/backup.slow.ts',
  'commands/restore-failures.slow.ts',
  'commands/commands.test.ts',
  'fleet/assets/put-vehicle-image.test.ts',
  'commands/interruption.slow.ts',
  'commands/serve.test.ts',
  'commands/worker.slow.ts',
  'fleet/invoices/documents/hostile-documents.test.ts',
  'platform/db/embedded/account.slow.ts',
  'platform/db/embedded/two-services.slow.ts',
  'platform/db/embedded/embedded-database.slow.ts',
  'fleet/contract.test.ts',
  'owasp-properties.test.ts',
  'commands/stop.slow.ts',
  'platform/http/idempotency/crash-safety.test.ts',
  'fleet/telemetry/boxes/mqtt-acl.test.ts',
  'fleet/assets/image-bytes.test.ts',
  'fleet/answer-size.test.ts',
  'fleet/invoices/get-invoice-ocr.test.ts',
  'fleet/audit/audit-trail.test.ts',
  'platform/http/unsent-answers.test.ts',
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
