import { createHmac, randomBytes } from 'node:crypto';

/** A secret of Standard Webhooks. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers that sign a message, once with every secret that is valid (Standard Webhooks). */
export function signatureHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now = new Date(),
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
