export const offlineScope = 'offline_access';

/**
 * The address of a request with the consent that the OpenID library wants for offline access. Nobody is asked for it: clients are
 * created by the operator.
 */
export function withImpliedConsent(address: string): string {
  // A query may have question marks of its own.
  const [path = '', ...query] = address.split('?');
  if (!path.endsWith('/protocol/openid-connect/auth')) return address;
  const parameters = new URLSearchParams(query.join('?'));
  const scopes = parameters.get('scope')?.split(' ') ?? [];
  if (!scopes.includes(offlineScope) || parameters.has('prompt')) return address;
  parameters.set('prompt', 'consent');
  return `${path}?${parameters}`;
}
