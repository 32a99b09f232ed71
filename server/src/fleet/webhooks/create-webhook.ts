import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleWebhook,
  exampleWebhookRequest,
  exampleWebhookSecret,
  WebhookRequestSchema,
  WebhookWithSecretSchema,
  webhookIssues,
  webhookOf,
} from './webhook.ts';
import { addWebhook, requireReachable } from './webhook-store.ts';

const numberedBatches = 5;

export const createWebhook = (types: ReadonlySet<string>) =>
  operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    tag: 'Events',
    role: 'admin',
    origin: 'motorpool',
    summary: 'Subscribe to events with a webhook',
    description:
      'Every event of these types that is committed from now on is posted to the URL, signed as Standard Webhooks describes, at least once. The id of the event is the ' +
      '`webhook-id` of every try. Those of one vehicle come in their order while the receiver keeps up. Any 2xx answer within 10 seconds accepts an event; what fails is ' +
      'tried again for three days, ever later; 410 ends the webhook. The secret is in this answer alone.',
    parameters: {},
    body: {
      schema: WebhookRequestSchema,
      required: true,
      rules: webhookIssues(types),
      examples: {
        incidents: { summary: 'What happens to incidents', value: exampleWebhookRequest },
      },
    },
    responses: {
      201: {
        description: 'The webhook, with its secret.',
        schema: WebhookWithSecretSchema,
        example: { ...exampleWebhook, secret: exampleWebhookSecret },
        headers: { Location: 'The path of the webhook.', ...etagHeader },
      },
    },
    notFound: [],
    problems: { 409: 'There are as many webhooks as an asset provider may have.' },
    async handler({ provider, body }, dependencies: Dependencies) {
      requireReachable(body.url, dependencies);
      const { db, clock } = dependencies;
      // What was committed until now is before it.
      await sequenceEvents(db, provider.id, numberedBatches);
      const { row, secret } = await db.transaction((tx) =>
        addWebhook(tx, provider.id, body, clock.now()),
      );
      return {
        status: 201,
        headers: { location: locationOf(provider, 'webhooks', row.id), etag: etagOf(row.version) },
        body: { ...webhookOf(row), secret },
      };
    },
  });
