import Type, { type Static } from 'typebox';
import type { ReadBudget } from '../../platform/db/read-budget.ts';
import { arrayParts, LargeJson } from '../../platform/http/large-json.ts';
import { PageTextsSchema } from '../../platform/text-recognition/page-texts.ts';
import {
  type RecognitionFailure,
  recognitionFailures,
} from '../../platform/text-recognition/recognise-text.ts';
import { maxFilenameLength } from '../announced-file.ts';
import { exampleBlob, maxFiles } from '../files/public.ts';
import { type OcrStatus, OcrStatusSchema } from './incident.ts';
import type { DocumentRow } from './recognition/document-store.ts';
import { maxValueLength, suggestedFields } from './recognition/suggestions.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const SuggestionBoxSchema = Type.Object(
  {
    x: share('From the left edge, as a share of the page’s width.'),
    y: share('From the upper edge, as a share of its height.'),
    width: share('As a share of its width.'),
    height: share('As a share of its height.'),
  },
  {
    $id: 'SuggestionBox',
    additionalProperties: false,
    description: 'Where it stands on the page as it was uploaded, upright by its metadata.',
  },
);

const SuggestedFieldSchema = Type.Enum([...suggestedFields], {
  $id: 'SuggestedField',
  type: 'string',
  description: 'What the suggestion is for.',
});

const OcrSuggestionSchema = Type.Object(
  {
    field: SuggestedFieldSchema,
    value: Type.String({
      maxLength: maxValueLength,
      description: 'What the document says: of incidentTimestamp in UTC, otherwise as it was read.',
      examples: ['Torstraße 1, 10119 Berlin'],
    }),
    confidence: share('How sure the recognition is.'),
    page: Type.Integer({ minimum: 1, description: 'The page, from 1.' }),
    box: SuggestionBoxSchema,
    decision: Type.Enum(['open', 'taken', 'left'], {
      type: 'string',
      description: 'What a person has decided.',
    }),
  },
  { $id: 'OcrSuggestion', additionalProperties: false },
);

export const OcrDocumentSchema = Type.Object(
  {
    blobUuid: Type.String({ format: 'uuid', description: 'The file among those of the incident.' }),
    filename: Type.String({ maxLength: maxFilenameLength, examples: ['accident-statement.jpg'] }),
    status: Type.Enum(['PROCESSING', 'PROCESSED', 'ERROR'], {
      type: 'string',
      description: 'Whether it waits, was read, or could not be read.',
    }),
    reason: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'Why it could not be read.' }),
    ),
    source: Type.Optional(
      Type.Enum(['text-layer', 'recognition'], {
        type: 'string',
        description:
          'Whether the text is that of the PDF, or some of it was recognised in pictures.',
      }),
    ),
    pageCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'How many pages it has; the first ten of them are read.',
      }),
    ),
    pages: PageTextsSchema,
    suggestions: Type.Array(OcrSuggestionSchema, { maxItems: suggestedFields.length }),
    readAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'OcrDocument', additionalProperties: false },
);
type OcrDocument = Static<typeof OcrDocumentSchema>;

export const IncidentOcrSchema = Type.Object(
  {
    status: OcrStatusSchema,
    reason: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: 'Why the status is ERROR: the first document that could not be read.',
      }),
    ),
    documents: Type.Array(OcrDocumentSchema, {
      maxItems: maxFiles,
      description: 'The uploaded files of the incident, in the order of their announcement.',
    }),
  },
  { $id: 'IncidentOcr', additionalProperties: false },
);
type IncidentOcr = Static<typeof IncidentOcrSchema>;

export const exampleIncidentOcr: IncidentOcr = {
  status: 'PROCESSED',
  documents: [
    {
      blobUuid: exampleBlob.uuid,
      filename: 'accident-statement.jpg',
      status: 'PROCESSED',
      source: 'recognition',
      pageCount: 1,
      pages: [
        'Europäischer Unfallbericht\n1. Datum des Unfalls\tUhrzeit\t2. Ort\n14.11.2026\t17:20\tTorstraße 1, 10119 Berlin',
      ],
      suggestions: [
        {
          field: 'location',
          value: 'Torstraße 1, 10119 Berlin',
          confidence: 0.94,
          page: 1,
          box: { x: 0.3264, y: 0.09, width: 0.2263, height: 0.0081 },
          decision: 'open',
        },
      ],
      readAt: '2026-11-14T18:04:12.302Z',
    },
  ],
};

function ocrDocumentOf(row: DocumentRow): OcrDocument {
  const { uuid, filename, waiting, failure, source, page_count, read_at } = row;
  return {
    blobUuid: uuid,
    filename,
    status: waiting ? 'PROCESSING' : failure ? 'ERROR' : 'PROCESSED',
    ...(failure && { reason: textOf(failure) }),
    ...(source && { source }),
    ...(page_count !== null && { pageCount: page_count }),
    pages: row.page_texts ?? [],
    suggestions: (row.suggestions ?? []).map(
      ({ field, value, confidence, page, box, decision }) => {
        const { x, y, width, height } = box;
        return { field, value, confidence, page, box: { x, y, width, height }, decision };
      },
    ),
    ...(read_at !== null && { readAt: read_at }),
  };
}

/** The texts of a great many pages, in parts. */
export function incidentOcrOf(
  status: OcrStatus,
  rows: readonly DocumentRow[],
  { usedBytes }: ReadBudget,
): LargeJson {
  // A file of another type is a reason only where there is no document.
  const failed =
    rows.find(({ failure }) => failure && failure !== 'unsupported-type') ??
    rows.find(({ failure }) => failure);
  const reason =
    status === 'ERROR' && failed?.failure
      ? `${failed.filename}: ${textOf(failed.failure)}`
      : undefined;
  const head = JSON.stringify({ status, ...(reason && { reason }) });
  return new LargeJson('', withDocuments(head, rows), '', usedBytes);
}

/** A document in JSON and what was read in its files, in parts that commas separate. */
export function withDocuments(json: string, rows: readonly DocumentRow[]): Iterable<string> {
  return arrayParts(`${json.slice(0, -1)},"documents":[`, rows, ocrDocumentOf, ']}');
}

function textOf(failure: RecognitionFailure): string {
  return recognitionFailures[failure];
}
