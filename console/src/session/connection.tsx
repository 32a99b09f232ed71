import type { Motorpool } from '@motorpool/client';
import { createContext, use } from 'react';
import type { LiveEvents } from '../fleet/live-events.ts';
import type { Role, Session } from './session.ts';
import type { Settings } from './settings.ts';

/** What a signed-in page works with. */
export type Connection = {
  settings: Settings;
  session: Session;
  fleet: Motorpool;
  live: LiveEvents;
};

export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function useConnection(): Connection {
  const connection = use(ConnectionContext);
  if (!connection) throw new Error('Nobody is signed in');
  return connection;
}

export const useFleet = (): Motorpool => useConnection().fleet;
export const useSession = (): Session => useConnection().session;
/** Hides what the interface would refuse. */
export const useMay = (role: Role): boolean => useSession().may(role);
