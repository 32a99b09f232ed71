import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { type Problem, tooManyRequests } from '../../platform/http/problem.ts';
import type { SendRate } from '../../platform/webhooks/send-rate.ts';
import type { WebhookSender } from '../../platform/webhooks/webhook-sender.ts';
import type { Dependencies } from '../dependencies.ts';
import { sourceOf } from '../event-log/public.ts';
import { connectionCost } from './deliver-webhooks.ts';
import { deliveryTimeoutMs, messageOf } from './delivery-message.ts';
import { webhookKey, webhookParameter } from './webhook.ts';
import { openWebhookSecrets } from './webhook-store.ts';

const TestSchema = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether the receiver answered with a 2xx status.' }),
    answerStatus: Type.Optional(
      Type.Integer({ description: 'The status with which the receiver answered.' }),
    ),
    error: Type.Optional(Type.String({ maxLength: 500, description: 'Why there is no answer.' })),
  },
  { $id: 'WebhookTest', additionalProperties: false },
);

export const testWebhook = (sender: WebhookSender, sendRate: SendRate) =>
  operation({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/test',
    tag: 'Events',
    role: 'admin',
    origin: 'motorpool',
    changesNothing: true,
    summary: 'Send a test event to a webhook',
    description:
      'Posts an event of type `webhook.test.v1` at once, signed as every delivery is, and answers what came of it. It is tried once, is not in ' +
      'the log of events nor in that of deliveries, and changes nothing: also of a webhook that is paused. For what the asset provider may send, ' +
      'it counts as a message on a new connection: where nothing is left, it is 429.',
    parameters: webhookParameter,
    responses: {
      200: {
        description: 'What came of it.',
        schema: TestSchema,
        example: { accepted: true, answerStatus: 204 },
      },
    },
    notFound: ['webhook'],
    async handler({ provider, parameters: { webhookId } }, dependencies: Dependencies) {
      const { db, clock, settings } = dependencies;
      const key = webhookKey(provider, webhookId);
      const { url, secrets } = await openWebhookSecrets(db, key);
      const waitMs = sendRate.tryTake(provider.id, 1 + connectionCost);
      if (waitMs > 0) throw tooManyMessages(waitMs);
      const id = crypto.randomUUID();
      const event = {
        specversion: '1.0',
        id,
        source: sourceOf(provider),
        type: 'webhook.test.v1',
        subject: `/webhooks/${key[1]}`,
        time: clock.now().toISOString(),
        datacontenttype: 'application/json',
        data: {},
      };
      const connection = sender.connect({
        tenant: provider.id,
        networks: settings.webhookNetworks,
        timeoutMs: deliveryTimeoutMs,
      });
      const { status, error } = await connection
        .send(messageOf({ url, secrets }, id, JSON.stringify(event)))
        .finally(() => connection.close());
      const accepted = status !== undefined && status >= 200 && status < 300;
      const body = {
        accepted,
        ...(status !== undefined && { answerStatus: status }),
        ...(error !== undefined && { error: error.slice(0, 500) }),
      };
      return { status: 200, body };
    },
  });

function tooManyMessages(waitMs: number): Problem {
  return tooManyRequests(
    'The webhooks of the asset provider are sent as many messages as they may be.',
    Math.ceil(waitMs / 1_000),
  );
}
