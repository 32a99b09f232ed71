import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type DataboxRow,
  DataboxSchema,
  databoxColumns,
  databoxOf,
  etagHeader,
  exampleDatabox,
  serialParameter,
} from './databox.ts';

export const getDatabox = operation({
  id: 'getDatabox',
  method: 'GET',
  path: '/databoxes/{serial}',
  tag: 'Databox',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the pairing of a box',
  description: 'Returns the vehicle that the box is paired with.',
  parameters: serialParameter,
  responses: {
    200: {
      description: 'The pairing.',
      schema: DataboxSchema,
      example: exampleDatabox,
      headers: etagHeader,
    },
  },
  notFound: ['databox'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const [row] = await db.query<DataboxRow>(
      `select ${databoxColumns} from databoxes d where d.provider = $1 and d.serial = $2`,
      [provider.id, parameters.serial],
    );
    if (!row) throw notFound('databox');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: databoxOf(row) };
  },
});
