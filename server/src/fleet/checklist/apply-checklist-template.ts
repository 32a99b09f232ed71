import Type from 'typebox';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { ChecklistEntrySchema, tooManyEntries } from './checklist-entry.ts';
import { entryOf } from './checklist-fields.ts';
import { addEntries } from './checklist-store.ts';
import {
  exampleTemplate,
  maxEntries,
  type TemplateRow,
  templateKey,
  templateParameter,
} from './checklist-template.ts';

export const applyChecklistTemplate = operation({
  id: 'applyChecklistTemplate',
  method: 'POST',
  path: '/{vehicleId}/checklist/templates/{templateId}',
  tag: 'Checklist',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Put a checklist template on a vehicle',
  description:
    'Adds all entries of the template to the end of the checklist of the vehicle, in their order: all of them or none. ' +
    'Each call adds them once more. They are copies: later changes of the template do not reach them.',
  parameters: { ...vehicleIdParameter, ...templateParameter },
  responses: {
    201: {
      description: 'The new entries, in the order of the template.',
      schema: Type.Object(
        { items: Type.Array(ChecklistEntrySchema, { maxItems: maxEntries }) },
        { $id: 'ApplyChecklistTemplateResponse', additionalProperties: false },
      ),
      example: {
        items: exampleTemplate.entries.slice(0, 1).map((entry) => ({
          id: 'db3b117e-f4b9-4bc3-a1fd-84f9bc3f5cf7',
          position: 0,
          ...entry,
          createdAt: '2026-11-01T06:00:00.000Z',
          updatedAt: '2026-11-01T06:00:00.000Z',
        })),
      },
      headers: { Location: 'The path of the checklist of the vehicle.' },
    },
  },
  notFound: ['vehicle', 'checklist template'],
  problems: tooManyEntries,
  workload: 'batch',
  async handler({ provider, parameters: { vehicleId, templateId } }, { db, clock }: Dependencies) {
    const key = templateKey(provider, templateId);
    const rows = await db.transaction(async (tx) => {
      const [template] = await tx.query<Pick<TemplateRow, 'entries'>>(selectTemplate, key);
      if (!template) throw notFound('checklist template');
      return addEntries({ tx, clock }, provider, vehicleId, template.entries);
    });
    return {
      status: 201,
      headers: { location: locationOf(provider, vehicleId, 'checklist') },
      body: { items: rows.map(entryOf) },
    };
  },
});

const selectTemplate = 'select entries from checklist_templates where provider = $1 and id = $2';
