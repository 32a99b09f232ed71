import { fieldsOf } from '../../platform/search/field.ts';
import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { orderedText } from '../../platform/search/text-sql.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistTemplateSchema,
  exampleTemplate,
  type TemplateRow,
  templateColumns,
  templateOf,
} from './checklist-template.ts';

const entries = `from jsonb_to_recordset(t.entries)
  e (title text, type text, options text[], required boolean) where true`;
const options = `from jsonb_to_recordset(t.entries) e (options text[]), unnest(e.options) o (option)
  where true`;

const fields = fieldsOf({
  id: ['uuid', 't.id'],
  name: ['text', 't.name'],
  'entries.title': ['text', 'e.title', { anyOf: entries }],
  'entries.type': ['text', 'e.type', { anyOf: entries }],
  'entries.options': ['text', 'o.option', { anyOf: options }],
  'entries.required': ['boolean', 'e.required', { anyOf: entries }],
  createdAt: ['date-time', 't.created_at'],
  updatedAt: ['date-time', 't.updated_at'],
});

const templates: Searchable = {
  fields,
  columns: templateColumns,
  from: 'checklist_templates t',
  textColumns: ['t.name'],
  defaultOrder: [orderedText('t.name'), 't.name'],
  id: 't.id',
};

export const [listChecklistTemplates, findChecklistTemplates] = listAndSearch({
  list: {
    id: 'listChecklistTemplates',
    summary: 'List the checklist templates of an asset provider',
    description: 'Returns the templates of the asset provider, in pages; by name.',
  },
  search: {
    id: 'findChecklistTemplates',
    summary: 'Find checklist templates of an asset provider',
    description:
      'Returns the templates of the asset provider that match all filters, in pages; by name unless another order is ' +
      'asked for. A filter on a field of entries asks whether any of them fits. A filter without a field looks for ' +
      'text in the name.',
    examples: {
      withText: {
        summary: 'Those whose entries ask for tyres',
        value: {
          filters: [{ field: 'entries.title', operator: 'contains', value: 'tyre' }],
          sorting: [{ field: 'updatedAt', direction: 'desc' }],
        },
      },
    },
  },
  path: '/checklist-templates',
  tag: 'Checklist',
  role: 'viewer',
  parameters: {},
  searchable: templates,
  page: pageResponse(
    'ListChecklistTemplatesResponse',
    'A page of templates.',
    ChecklistTemplateSchema,
    exampleTemplate,
  ),
  notFound: [],
  async read({ provider, request }, { db }: Dependencies) {
    const found = await search<TemplateRow>(
      db,
      templates,
      { conditions: ['t.provider = $1'], values: [provider.id] },
      request,
    );
    return pageBody(found.rows.map(templateOf), found);
  },
});
