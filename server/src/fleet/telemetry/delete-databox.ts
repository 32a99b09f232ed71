import { requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, serialParameter } from './databox.ts';

export const deleteDatabox = operation({
  id: 'deleteDatabox',
  method: 'DELETE',
  path: '/databoxes/{serial}',
  tag: 'Databox',
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
    return db.transaction(async (tx) => {
      const [deleted] = await tx.query<{ version: number }>(
        'delete from databoxes where provider = $1 and serial = $2 returning version',
        [provider.id, parameters.serial],
      );
      if (!deleted) throw notFound('databox');
      requireMatch(header('if-match'), deleted.version);
      return { status: 204 };
    });
  },
});
