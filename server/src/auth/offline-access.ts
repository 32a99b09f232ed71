export const offlineScope = 'offline_access';

/**
 * The address of a request with the consent that the OpenID library wants for offline access. Nobody is asked for it: clients are
 * created by the operator.
 */
export function withImpliedConsent(address: string): string {
  const [path = '', query] = address.split('?', 2);
  if (!path.endsWith('/protocol/openid-connect/auth') || query === undefined) return address;
  const parameters = new URLSearchParams(query);
  const scopes = parameters.get('scope')?.split(' ') ?? [];
  if (!scopes.includes(offlineScope) || parameters.has('prompt')) return address;
  parameters.set('prompt', 'consent');
  return `${path}?${parameters}`;
}
