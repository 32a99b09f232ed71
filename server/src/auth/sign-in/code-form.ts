import type { FastifyReply } from 'fastify';
import { codePage } from '../pages.ts';
import { findUser, type NamedUser } from '../users.ts';
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
export function askForCode(attempt: Attempt, user: NamedUser): FastifyReply {
  const { request, reply, key } = attempt;
  logSignIn(request, user, 'code-required');
  const expires = String(Math.floor(Date.now() / 1_000) + passedLifetimeSeconds);
  const passed = [user.id, expires, key.sign(passedParts(attempt, user.id, expires))].join('.');
  return reply.send(codePage({ realm: request.params.realm, passed }));
}

export async function submitCode(attempt: Attempt, options: SignInOptions): Promise<FastifyReply> {
  const { request, reply, key } = attempt;
  const { db } = options;
  const { realm } = request.params;
  const { passed = '', code = '' } = request.body ?? {};
  const userId = passedUser(attempt, passed);
  const user = userId && (await findUser(db, realm, userId, options.allowDemoCredentials));
  if (!user) return sendExpired(reply);

  const deviceId = knownDevice(key, request, user.username);
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

function passedUser(attempt: Attempt, passed: string): string | undefined {
  const [userId = '', expires = '', signature = ''] = passed.split('.');
  if (!attempt.key.isSigned(passedParts(attempt, userId, expires), signature)) return undefined;
  return Number(expires) > Date.now() / 1_000 ? userId : undefined;
}

function passedParts(
  { request, interaction }: Attempt,
  userId: string,
  expires: string,
): readonly string[] {
  return ['password passed', request.params.realm, interaction, userId, expires];
}
