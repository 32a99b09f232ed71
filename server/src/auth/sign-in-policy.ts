import { interactionPolicy } from 'oidc-provider';

export const signInLifetimeSeconds = 86_400;

/** When a person is shown the login page; nothing else is ever asked. */
export function signInPolicy(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the account of the session exists no longer',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    );
  // Every client was made by the operator: a wish for consent is heard and granted.
  policy.get('consent')?.checks.clear();
  return policy;
}
