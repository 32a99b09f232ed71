import { operation } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type ErasureRow,
  ErasureSchema,
  erasureColumns,
  erasureOf,
  exampleErasure,
} from './erasure.ts';

export const getErasure = operation({
  id: 'getErasure',
  method: 'GET',
  path: '/users/erasures/{erasureId}',
  tag: 'Users',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Get how far an erasure is',
  description: 'Returns the erasure of a customer, whom it no longer names.',
  parameters: {
    erasureId: uuidParameter('The id of the erasure, as the service made it.', exampleErasure.id),
  },
  responses: {
    200: {
      description: 'The erasure.',
      schema: ErasureSchema,
      example: {
        ...exampleErasure,
        status: 'completed',
        completedAt: '2026-11-15T09:30:01.482Z',
        erasedRecords: 34,
      },
    },
  },
  notFound: ['erasure'],
  async handler({ provider, parameters: { erasureId } }, { db }: Dependencies) {
    const id = requireUuid(erasureId, 'erasure');
    const [row] = await db.query<ErasureRow>(selectErasure, [provider.id, id]);
    if (!row) throw notFound('erasure');
    return { status: 200, body: erasureOf(row) };
  },
});

const selectErasure = `select ${erasureColumns} from customer_erasures e where e.provider = $1 and e.id = $2`;
