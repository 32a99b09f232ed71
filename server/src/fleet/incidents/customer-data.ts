import Type from 'typebox';
import { type CustomerData, readOfCustomer } from '../customer-data.ts';
import { type Blob, eraseEntries, maxFiles, withBlobs } from '../files/public.ts';
import {
  exampleVehicleIncident,
  vehicleIncidentOf,
  vehicleIncidentProperties,
} from './fleet-incident.ts';
import { type IncidentRow, incidents } from './incident-fields.ts';
import { exampleIncidentOcr, OcrDocumentSchema, withDocuments } from './incident-ocr.ts';
import { readDocumentsOf } from './recognition/document-store.ts';

const CustomerIncidentSchema = Type.Object(
  {
    ...vehicleIncidentProperties,
    documents: Type.Optional(
      Type.Array(OcrDocumentSchema, {
        maxItems: maxFiles,
        description: 'What was read in its files; absent when there are none.',
      }),
    ),
  },
  { $id: 'CustomerIncident', additionalProperties: false },
);

export const customerIncidents: CustomerData = {
  tables: ['incidents'],
  records: {
    name: 'incidents',
    description: 'The incidents that name the customer, the last that was reported first.',
    schema: CustomerIncidentSchema,
    example: { ...exampleVehicleIncident, documents: exampleIncidentOcr.documents },
    async read(tx, provider, customer, limit, budget) {
      const found = await readOfCustomer<IncidentRow>(tx, incidents, 'i', customer, limit, budget);
      const rows = await withBlobs(tx, provider, 'incidents', found.rows, budget);
      const ids = rows.map(({ id }) => id);
      const documentsOf = await readDocumentsOf(tx, provider.id, ids, budget);
      const itemOf = ({ blobs, ...row }: IncidentRow & { blobs?: Blob[] }) => ({
        incident: JSON.stringify({ ...vehicleIncidentOf(row), ...(blobs && { blobs }) }),
        documents: documentsOf.get(row.id),
      });
      const partsOf = ({ incident, documents }: ReturnType<typeof itemOf>) =>
        documents ? withDocuments(incident, documents) : [incident];
      return { rows, itemOf, partsOf, totalEntries: found.totalEntries };
    },
  },
  erase: eraseEntries(
    'incidents',
    'incidents',
    // Files that are being read, or that the next upload would have read, would tell of the customer again.
    `title = 'Incident', ocr_status = case when ocr_status = 'MANUAL' or exists (
      select from blobs b where b.provider = $1 and b.owner = 'incidents' and b.entry_id = t.id
    ) then 'MANUAL' else 'NOT_STARTED' end,
    location = null, cause = null, notes = null, description = null, damages = (
      select json_agg(damage::jsonb || jsonb_build_object('title', damage -> 'damageType') order by number)
      from json_array_elements(t.damages) with ordinality damages (damage, number)
    )`,
    'incident_documents',
  ),
};
