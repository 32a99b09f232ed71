import { buffer } from 'node:stream/consumers';
import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody } from '../../platform/http/problem.ts';
import { UserError } from '../../platform/user-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { limitSize, requirePlainBytes } from '../files/public.ts';
import { csvOfBytes } from './csv-file.ts';
import { importVehicles, type Report } from './vehicle-import.ts';

const maxBytes = 5 * 1_048_576;
const maxLines = 10_000;
const maxFindings = 1_000;

const QuerySchema = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to validate and report alone, without importing.',
      }),
    ),
    skipFaulty: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to import the valid lines although others are faulty.',
      }),
    ),
  },
  { additionalProperties: false },
);

const FindingSchema = Type.Object(
  {
    line: Type.Integer({ description: 'On which the record begins; the header is on line 1.' }),
    column: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The dotted path of the field; absent where it is about the whole line.',
        examples: ['information.seats'],
      }),
    ),
    detail: Type.String({ maxLength: 2_000, description: 'What is wrong.' }),
  },
  { $id: 'ImportFinding', additionalProperties: false },
);

const findings = (description: string) =>
  Type.Array(FindingSchema, {
    maxItems: maxFindings,
    description: `${description} The first ${maxFindings}, by line.`,
  });

const ClearedColumnSchema = Type.Object(
  {
    column: Type.String({
      maxLength: 100,
      description: 'The dotted path of the field.',
      examples: ['information.seats'],
    }),
    vehicles: Type.Integer({ description: 'The vehicles that lose their stored value.' }),
  },
  { $id: 'ClearedColumn', additionalProperties: false },
);

const ReportSchema = Type.Object(
  {
    lines: Type.Integer({ description: 'The lines of the file, without the header.' }),
    created: Type.Integer({ description: 'The lines that make a vehicle.' }),
    overwritten: Type.Integer({ description: 'The lines that overwrite a vehicle.' }),
    faulty: Type.Integer({ description: 'The lines that have faults.' }),
    written: Type.Boolean({
      description: 'Whether the import was kept; not after a dry run, and not because of faults.',
    }),
    faults: findings('What keeps lines from being imported.'),
    notStored: findings('Signals that cannot be true: the rest of their lines is imported.'),
    cleared: Type.Array(ClearedColumnSchema, {
      maxItems: 100,
      description:
        'What existing vehicles lose by empty cells of valid lines: the columns of which at least one loses a stored value, in the order of the header.',
    }),
    positionTrackingDisabled: Type.Integer({
      description:
        'The existing vehicles whose `information.trackGeolocation` becomes false: the positions that are stored of them are erased.',
    }),
  },
  { $id: 'ImportReport', additionalProperties: false },
);

const exampleReport: Static<typeof ReportSchema> = {
  lines: 3,
  created: 1,
  overwritten: 1,
  faulty: 1,
  written: false,
  faults: [{ line: 3, column: 'information.seats', detail: 'information.seats must be a number.' }],
  notStored: [],
  cleared: [{ column: 'information.seats', vehicles: 1 }],
  positionTrackingDisabled: 0,
};

export const importVehiclesOperation = operation({
  id: 'importVehicles',
  method: 'POST',
  path: '/imports/vehicles',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Import vehicles from a CSV file',
  description:
    'Makes vehicles, or overwrites the fields that the header names, such as `asset.id,information.vin,status.odometer`; all lines or none, ' +
    'unless faulty ones are skipped. The file is in UTF-8, separated by comma, semicolon or tab. ' +
    'An empty cell clears the value of a vehicle that exists, except for `asset.active` and `information.trackGeolocation`, which stay as they are. ' +
    'Where `information.trackGeolocation` becomes false, the stored positions of the vehicle are erased. ' +
    'A signal that was measured after the `status.lastUpdated` of its line stays as it is. ' +
    'A dry run tells every fault with its line and column, and how many vehicles lose a stored value or their positions, and changes nothing.',
  parameters: {},
  query: { schema: QuerySchema },
  upload: {
    parsedBytes: maxBytes,
    description: `The file, of at most ${maxBytes / 1_048_576} MiB and ${maxLines} lines.`,
    mediaTypes: ['text/csv', 'application/octet-stream'],
    example: Buffer.from('asset.id,information.model\nDE*ABC*V0001,ID.4\n'),
  },
  responses: {
    200: {
      description: 'What was found, and whether it was kept.',
      schema: ReportSchema,
      example: exampleReport,
    },
  },
  notFound: [],
  problems: {
    400: 'The file cannot be read: it is empty, not CSV, has too many lines, or its header names an unknown column.',
    413: 'The file is larger than the service reads.',
    415: 'The content is compressed by a Content-Encoding.',
  },
  workload: 'batch',
  async handler({ provider, query, header, bytes, keepAnswer }, dependencies: Dependencies) {
    const limitBytes = Math.min(maxBytes, dependencies.settings.uploadLimitBytes);
    requirePlainBytes(header, limitBytes);
    const content = await buffer(limitSize(bytes, limitBytes));
    try {
      const report = await importVehicles(
        dependencies,
        provider,
        csvOfBytes(content, { maxLines }),
        {
          ...query,
          interruption: new AbortController().signal,
          maxFindings,
          onWritten: (tx, report) => keepAnswer(tx, answerOf(report)),
        },
      );
      const answer = answerOf(report);
      if (!report.written) await dependencies.db.transaction((tx) => keepAnswer(tx, answer));
      return answer;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      throw invalidBody([{ pointer: '', detail: error.message }]);
    }
  },
});

const answerOf = (report: Report) => ({ status: 200 as const, body: report });
