import Type, { type Static } from 'typebox';

export const ErasureSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    status: Type.Enum(['pending', 'completed'], {
      type: 'string',
      description: 'A job erases in batches; completed once nothing is left.',
    }),
    requestedAt: Type.String({ format: 'date-time', description: 'When it was asked for.' }),
    completedAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the last of it was erased.' }),
    ),
    erasedRecords: Type.Integer({
      description: 'From how many records the customer has been erased so far.',
    }),
    erasesPositions: Type.Boolean({
      description:
        'Whether the positions of the vehicles while the customer drove them are erased, too, which is `erasePositionsWithCustomer` of ' +
        'the profile when it was asked for.',
    }),
  },
  { $id: 'Erasure', additionalProperties: false },
);

export const exampleErasure: Static<typeof ErasureSchema> = {
  id: '6f1d0f3a-2a53-4d0c-9a3b-7be1c1a0d9e4',
  status: 'pending',
  requestedAt: '2026-11-15T09:30:00.000Z',
  erasedRecords: 0,
  erasesPositions: true,
};

export type ErasureRow = {
  id: string;
  requested_at: string;
  completed_at: string | null;
  erased_count: number;
  erases_positions: boolean;
};

export const erasureColumns =
  'e.id, e.requested_at, e.completed_at, e.erased_count, e.erases_positions';

export function erasureOf(row: ErasureRow): Static<typeof ErasureSchema> {
  return {
    id: row.id,
    status: row.completed_at === null ? 'pending' : 'completed',
    requestedAt: row.requested_at,
    ...(row.completed_at !== null && { completedAt: row.completed_at }),
    erasedRecords: row.erased_count,
    erasesPositions: row.erases_positions,
  };
}
