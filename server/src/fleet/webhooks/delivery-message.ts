import type { WebhookMessage } from '../../platform/webhooks/post-webhook.ts';
import { signatureHeaders } from '../../platform/webhooks/signature.ts';

export const deliveryTimeoutMs = 10_000;

/** An event as it is posted to a receiver. */
export function messageOf(
  { url, secrets }: { url: string; secrets: string[] },
  eventId: string,
  body: string,
): WebhookMessage {
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'user-agent': 'Motorpool-Webhooks',
    ...signatureHeaders(eventId, body, secrets),
  };
  return { url, headers, body };
}
