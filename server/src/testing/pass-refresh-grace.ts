import type { Queryable } from '../platform/db/database.ts';
import { ageRecords } from './age-records.ts';

/** As if all refresh tokens had been issued, and those used had been used, a while ago. */
export function passRefreshGrace(db: Queryable): Promise<void> {
  const columns = ['consumed_at'] as const;
  return ageRecords(db, { kind: 'RefreshToken', seconds: 11, columns, properties: ['iat'] });
}
