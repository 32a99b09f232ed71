import { interactionPolicy } from 'oidc-provider';

/** How long a session lives since its last use, and at most since the sign-in. */
export const signInLifetimeSeconds = 86_400;
export const signInMaxSeconds = 30 * 86_400;
/** How long a refresh token of offline access lives since its last use, and at most since the sign-in. */
export const offlineIdleSeconds = 30 * 86_400;
export const offlineMaxSeconds = 365 * 86_400;
/** For as long as nobody has signed in. */
export const startLifetimeSeconds = 600;

/** When the login page is shown, which is the only prompt. */
export function signInPolicy(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base();
  const { checks } = policy.get('login') as interactionPolicy.Prompt;
  checks.add(
    new interactionPolicy.Check(
      'account_gone',
      'the account of the session exists no longer',
      ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
    ),
  );
  checks.add(
    new interactionPolicy.Check(
      'sign_in_over',
      'the sign-in was too long ago',
      ({ oidc: { session } }) => session?.accountId !== undefined && session.past(signInMaxSeconds),
    ),
  );
  // Clients are created by the operator, so that consent is implied.
  policy.get('consent')?.checks.clear();
  return policy;
}
