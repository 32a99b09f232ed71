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

/** Begins a transaction whose settings hold on the workers as well, where a pooler keeps them for no session. */
export const propagateSettings = 'set local citus.propagate_set_commands = local';

/** For the transaction. Citus tells its workers of this statement, and not of `set_config`. */
export function setLocalActor(json: string): string {
  return `set local motorpool.actor = ${pg.escapeLiteral(json)}`;
}
