import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { serialParameter } from './databox.ts';

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
  responses: { 204: { description: 'The box is paired with no vehicle.' } },
  notFound: ['databox'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const deleted = await db.query(
      'delete from databoxes where provider = $1 and serial = $2 returning serial',
      [provider.id, parameters.serial],
    );
    if (deleted.length === 0) throw notFound('databox');
    return { status: 204 };
  },
});
