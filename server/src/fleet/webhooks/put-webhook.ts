import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleWebhook,
  exampleWebhookRequest,
  ifMatchHeader,
  WebhookRequestSchema,
  WebhookSchema,
  webhookIssues,
  webhookKey,
  webhookOf,
  webhookParameter,
} from './webhook.ts';
import { overwriteWebhook, requireReachable } from './webhook-store.ts';

export const putWebhook = (types: ReadonlySet<string>) =>
  operation({
    id: 'putWebhook',
    method: 'PUT',
    path: '/webhooks/{webhookId}',
    tag: 'Events',
    role: 'admin',
    origin: 'motorpool',
    summary: 'Overwrite a webhook',
    description:
      'Replaces the URL, the types and the description; the secret stays. What waits to be delivered goes to the new URL.',
    parameters: webhookParameter,
    requestHeaders: ifMatchHeader,
    body: {
      schema: WebhookRequestSchema,
      required: true,
      rules: webhookIssues(types),
      examples: {
        incidents: { summary: 'What happens to incidents', value: exampleWebhookRequest },
      },
    },
    responses: {
      200: {
        description: 'The webhook, overwritten.',
        schema: WebhookSchema,
        example: exampleWebhook,
        headers: etagHeader,
      },
    },
    notFound: ['webhook'],
    problems: changedMeanwhile,
    async handler({ provider, parameters, header, body }, dependencies: Dependencies) {
      requireReachable(body.url, dependencies);
      const { db, clock } = dependencies;
      const row = await db.transaction(async (tx) => {
        const key = webhookKey(provider, parameters.webhookId);
        const row = await overwriteWebhook(tx, key, body, clock.now());
        requireMatch(header('if-match'), row.version - 1);
        return row;
      });
      return { status: 200, headers: { etag: etagOf(row.version) }, body: webhookOf(row) };
    },
  });
