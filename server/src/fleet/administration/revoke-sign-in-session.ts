import { revokeSession } from '../../auth/sessions.ts';
import { operation } from '../../platform/http/operation.ts';
import { textParameter } from '../../platform/http/path-parameter.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { exampleSession } from './sign-in-session.ts';

export const revokeSignInSession = operation({
  id: 'revokeSignInSession',
  method: 'DELETE',
  path: '/administration/sessions/{sessionId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Sign a user out of a session',
  description:
    'The browser has to sign in again, and the refresh tokens of the session are refused, at once. The access tokens of the user are refused ' +
    'within a second; those of other sessions are then refreshed by their applications. A second call answers 404.',
  parameters: {
    sessionId: textParameter(100, 'The id of the session.', exampleSession.id),
  },
  responses: { 204: { description: 'The session is over.' } },
  notFound: ['session'],
  problems: conflicts(),
  handler: ({ provider, caller, parameters: { sessionId } }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      if (!(await revokeSession(tx, provider.id, sessionId))) throw notFound('session');
      return { status: 204 };
    }),
});
