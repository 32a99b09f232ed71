import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { Problem, type ValidationIssue } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import { searchTextProperty } from '../../platform/search/request-schema.ts';
import { vehicleSearchIssues, vehicleSearchProperties } from '../vehicles/public.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What people call it; no two of an asset provider have the same name.',
  examples: ['Vans that need a service'],
});

/** What findVehicles is asked for, and the columns of the table. */
const definition = {
  searchText: searchTextProperty('The words that are looked for.', 'golf'),
  filters: vehicleSearchProperties.filters,
  sorting: vehicleSearchProperties.sorting,
  columns: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\w.-]+$' }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'The columns that are shown, in their order; the usual ones when left out.',
      examples: [['plate', 'model', 'odometer']],
    }),
  ),
};

export const SavedViewSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    name,
    ...definition,
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last overwritten.' }),
  },
  { $id: 'SavedView', additionalProperties: false },
);
type SavedView = Static<typeof SavedViewSchema>;

export const SavedViewRequestSchema = Type.Object(
  { name, ...definition, id: readOnly, createdAt: readOnly, updatedAt: readOnly },
  { $id: 'SavedViewRequest', additionalProperties: false },
);
export type SavedViewRequest = Static<typeof SavedViewRequestSchema>;

export const exampleViewRequest = {
  name: 'Vans that need a service',
  searchText: 'transporter',
  filters: [{ field: 'status.nextServiceDistance', operator: 'lte', value: 1_000 }],
  sorting: [{ field: 'status.nextServiceDistance', direction: 'asc' }],
  columns: ['plate', 'model', 'odometer', 'serviceDistance'],
} satisfies SavedViewRequest;

export const exampleView: SavedView = {
  id: '3f1c7b52-9d84-4e0a-b6f1-0c5a2d8e7f93',
  ...exampleViewRequest,
  createdAt: '2026-11-01T06:00:00.000Z',
  updatedAt: '2026-11-01T06:00:00.000Z',
};

/** The path parameter of every operation on one view. */
export const viewParameter = {
  viewId: uuidParameter('The id of the view, as the service made it.', exampleView.id),
};

/** The key of a view, as the values of $1 and $2. */
export function viewKey(provider: ProviderRef, viewId: string): string[] {
  return [provider.id, requireUuid(viewId, 'view')];
}

export const viewColumns = 'v.id, v.version, v.name, v.definition, v.created_at, v.updated_at';

export type ViewRow = {
  id: string;
  version: number;
  name: string;
  definition: Pick<SavedView, 'searchText' | 'filters' | 'sorting' | 'columns'>;
  created_at: string;
  updated_at: string;
};

export function viewOf(row: ViewRow): SavedView {
  const { id, name, definition, created_at: createdAt, updated_at: updatedAt } = row;
  return { id, name, ...definition, createdAt, updatedAt };
}

/** What a request defines, as it is stored. */
export function definitionOf(request: SavedViewRequest): ViewRow['definition'] {
  const { searchText, filters, sorting, columns } = request;
  return { searchText, filters, sorting, columns };
}

export function definitionJson(request: SavedViewRequest): string {
  return JSON.stringify(definitionOf(request));
}

const maxDefinitionLength = 16_384;

export function viewIssues(request: SavedViewRequest): ValidationIssue[] {
  const { filters = [], sorting = [] } = request;
  const issues = vehicleSearchIssues({ filters, sorting });
  // Bounds the size of a page, which has all views.
  if (issues.length > 0 || definitionJson(request).length <= maxDefinitionLength)
    return [...issues];
  return [
    {
      pointer: '',
      detail: `The view must have at most ${maxDefinitionLength} characters as JSON.`,
    },
  ];
}

/** So many may an asset provider have. */
export const maxViews = 100;

/** 409 when the write fails because another view has the name. */
export async function rejectDuplicateName<Result>(
  name: string,
  write: Promise<Result>,
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    const detail = `Another view is called ${JSON.stringify(name)}: names are unique within an asset provider.`;
    throw new Problem(409, 'name-taken', 'The name is taken', {
      detail,
      errors: [{ pointer: '/name', detail }],
    });
  }
}

const uniqueViolation = '23505';

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('view');
export const nameTaken = { 409: 'Another view of the asset provider has the name.' };
