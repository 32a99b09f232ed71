import type { Queryable } from '../platform/db/database.ts';

/** As if all refresh tokens had been issued, and those used had been used, a while ago. */
export async function passRefreshGrace(db: Queryable): Promise<void> {
  await db.query(
    `update oidc_records set consumed_at = consumed_at - interval '11 seconds',
       payload = jsonb_set(payload, '{iat}', to_jsonb((payload->>'iat')::int - 11))
     where kind = 'RefreshToken'`,
  );
}
