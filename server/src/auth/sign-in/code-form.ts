import type { FastifyReply } from 'fastify';
import { codePage } from '../pages.ts';
import { type CheckedUser, findUser, type User } from '../users.ts';
import {
  type Attempt,
  finishSignIn,
  logSignIn,
  reportSignIn,
  type SignInOptions,
  sendExpired,
} from './attempt.ts';
import { beginAttempt, endAttempts, type GuessTarget } from './failures.ts';
import { knownDevice } from './known-device.ts';
import { redeemCode } from './second-factor.ts';

/** The second page of a sign-in, for users with a second factor. */

const passedLifetimeSeconds = 300;

/** The page carries the user whose password was right, signed, for this sign-in alone. */
export async function askForCode(
  attempt: Attempt,
  { id, version }: CheckedUser,
  { allowDemoCredentials }: SignInOptions,
): Promise<FastifyReply> {
  const { db, request, reply, key } = attempt;
  const { realm } = request.params;
  const user = await findUser(db, realm, id, allowDemoCredentials);
  if (!user) return sendExpired(reply);
  logSignIn(request, user, 'code-required');
  const expires = String(Math.floor(Date.now() / 1_000) + passedLifetimeSeconds);
  const passed = [id, expires, key.sign(passedParts(attempt, { ...user, version }, expires))].join(
    '.',
  );
  return reply.send(codePage({ realm, passed }));
}

export async function submitCode(attempt: Attempt, options: SignInOptions): Promise<FastifyReply> {
  const { db, request, reply, key } = attempt;
  const { realm } = request.params;
  const { passed = '', code = '' } = request.body ?? {};
  const [userId = ''] = passed.split('.', 1);
  const user = await findUser(db, realm, userId, options.allowDemoCredentials);
  if (!user || !hasPassed(attempt, user, passed)) return sendExpired(reply);

  const deviceId = await knownDevice(db, key, request, user.username);
  const target: GuessTarget = { provider: realm, kind: 'code', username: user.username, deviceId };
  const waitSeconds = await beginAttempt(db, key, target);
  if (waitSeconds > 0) {
    await reportSignIn(attempt, user, 'delayed');
    const error = `Too many failed attempts. Try again in ${waitSeconds} seconds.`;
    return reply
      .code(429)
      .header('retry-after', waitSeconds)
      .send(codePage({ realm, passed, error }));
  }
  if (!(await redeemCode(db, key, { provider: realm, userId: user.id }, code))) {
    await reportSignIn(attempt, user, 'wrong-code');
    const error = 'The code is wrong or was used already.';
    return reply.code(401).send(codePage({ realm, passed, error }));
  }
  await endAttempts(db, key, target);
  const secure = options.publicUrl().startsWith('https:');
  return finishSignIn(attempt, user, ['pwd', 'otp', 'mfa'], { knownId: deviceId, secure });
}

function hasPassed(attempt: Attempt, user: User, passed: string): boolean {
  const [, expires = '', signature = ''] = passed.split('.');
  if (!attempt.key.isSigned(passedParts(attempt, user, expires), signature)) return false;
  return Number(expires) > Date.now() / 1_000;
}

/** With the versions of the user and of the tokens: the password may have been reset meanwhile. */
function passedParts(
  { request, interaction }: Attempt,
  { id, version, revocation }: User,
  expires: string,
): readonly string[] {
  const versions = [String(version), String(revocation)];
  return ['password passed', request.params.realm, interaction, id, ...versions, expires];
}
