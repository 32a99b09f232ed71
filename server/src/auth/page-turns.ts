import { clientNetwork, siteOf } from '../platform/http/client-network.ts';
import { createTenantSlots } from '../platform/tenant-slots.ts';
import type { RealmRequest } from './realm-route.ts';

const slots = createTenantSlots({
  slots: 20,
  share: 4,
  maxWaiting: 2_000,
  maxWaitingOfTenant: 500,
  maxWaitMs: 5_000,
  resource: 'the pages of sign-ins',
});

/**
 * Reads the database for a page, which anybody may ask for: few at a time of a site. Otherwise requests for tokens would wait behind as many as a
 * stranger has connections, in the one queue of their realm.
 */
export function inPageTurn<Result>(
  { ip }: RealmRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  return slots.run(siteOf(clientNetwork(ip)), work);
}
