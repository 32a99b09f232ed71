import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, serialParameter } from './databox.ts';

export const deleteDatabox = operation({
  id: 'deleteDatabox',
  method: 'DELETE',
  path: '/databoxes/{serial}',
  tag: 'Databox',
  role: 'editor',
  origin: 'motorpool',
  summary: 'End the pairing of a box',
  description:
    'The messages of the box are rejected from now on; what it sent before stays. A second call answers 404.',
  parameters: serialParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The box is paired with no vehicle.' } },
  notFound: ['databox'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header }, { db }: Dependencies) {
    const key = [provider.id, parameters.serial];
    return db.transaction(async (tx) => {
      await deleteMatching(tx, 'databox', databoxRow, key, header('if-match'));
      return { status: 204 };
    });
  },
});

const databoxRow = 'databoxes where provider = $1 and serial = $2';
