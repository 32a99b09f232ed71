import pg from 'pg';

/** Who changes something: the audit trail records it with every change of the transaction. */
export type Actor = {
  /** `anonymous`: nobody who is known, such as whoever fails to sign in. */
  kind: 'client' | 'user' | 'command' | 'anonymous';
  clientId?: string;
  /** The id of the user, or that of the client. */
  subject?: string;
  username?: string;
  address?: string;
  requestId?: string;
  /** The operation or the command. */
  operation?: string;
};

/** For the transaction. Citus tells its workers of this statement, and not of `set_config`. */
export function setLocalActor(json: string): string {
  return `set local motorpool.actor = ${pg.escapeLiteral(json)}`;
}
