import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { Problem, type ValidationIssue } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import {
  type ItemRequest,
  ItemRequestSchema,
  itemIssues,
  itemProperties,
  requiredDescription,
} from './checklist-item.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What the list is called; no two of an asset provider have the same name.',
  examples: ['Handover of a van'],
});
export const maxEntries = 500;

const entries = {
  minItems: 1,
  maxItems: maxEntries,
  description: 'What the list asks, in its order.',
};

const TemplateEntrySchema = Type.Object(
  { ...itemProperties, required: Type.Boolean({ description: requiredDescription }) },
  { $id: 'ChecklistTemplateEntry', additionalProperties: false },
);

export const ChecklistTemplateSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    name,
    entries: Type.Array(TemplateEntrySchema, entries),
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'ChecklistTemplate', additionalProperties: false },
);
type ChecklistTemplate = Static<typeof ChecklistTemplateSchema>;

export const ChecklistTemplateRequestSchema = Type.Object(
  {
    name,
    entries: Type.Array(ItemRequestSchema, entries),
    id: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'ChecklistTemplateRequest', additionalProperties: false },
);
type ChecklistTemplateRequest = Static<typeof ChecklistTemplateRequestSchema>;

export const exampleTemplateRequest: ChecklistTemplateRequest = {
  name: 'Handover of a van',
  entries: [
    { title: 'First-aid kit in the car', type: 'check', required: true },
    {
      title: 'Tyres on the car',
      type: 'select',
      options: ['summer', 'winter', 'all-season'],
      required: true,
    },
    { title: 'Odometer in km', type: 'number', required: true },
    { title: 'Anything else', type: 'text', required: false },
  ],
};

export const exampleTemplate = {
  ...exampleTemplateRequest,
  id: '7366363f-b1c4-47f3-9513-3ee373c7d533',
  createdAt: '2026-11-01T06:00:00.000Z',
  updatedAt: '2026-11-01T06:00:00.000Z',
};

/** The path parameter of every operation on one template. */
export const templateParameter = {
  templateId: uuidParameter('The id of the template, as the service made it.', exampleTemplate.id),
};

/** The key of a template, as the values of $1 and $2. */
export function templateKey(provider: ProviderRef, templateId: string): string[] {
  return [provider.id, requireUuid(templateId, 'checklist template')];
}

export const templateColumns = 't.id, t.version, t.name, t.entries, t.created_at, t.updated_at';

export type TemplateRow = {
  id: string;
  version: number;
  name: string;
  entries: ChecklistTemplate['entries'];
  created_at: string;
  updated_at: string;
};

export function templateOf(row: TemplateRow): ChecklistTemplate {
  const { id, name, entries, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, name, entries, createdAt, updatedAt };
}

/** The entries of a request as they are stored. */
export function entriesJson(requested: readonly ItemRequest[]): string {
  return JSON.stringify(requested.map((item) => ({ ...item, required: item.required ?? false })));
}

export function templateIssues({ entries }: ChecklistTemplateRequest): ValidationIssue[] {
  const issues = entries.flatMap((item, index) => itemIssues(item, `/entries/${index}`));
  // Bounds the size of a page, which has up to a thousand templates.
  if (issues.length === 0 && entriesJson(entries).length > maxEntriesLength) {
    issues.push({
      pointer: '/entries',
      detail: `entries must have at most ${maxEntriesLength} characters as JSON.`,
    });
  }
  return issues;
}

/** 409 when the write fails because another template has the name. */
export async function rejectDuplicateName<Result>(
  name: string,
  write: Promise<Result>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    const detail = `Another checklist template is called ${JSON.stringify(name)}: names are unique within an asset provider.`;
    throw new Problem(409, 'name-taken', 'The name is taken', {
      detail,
      errors: [{ pointer: '/name', detail }],
    });
  }
}

const uniqueViolation = '23505';
const maxEntriesLength = 32_768;

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('template');
export const nameTaken = { 409: 'Another template of the asset provider has the name.' };
