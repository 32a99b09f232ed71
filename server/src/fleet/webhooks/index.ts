import { WebhookSender } from '../../platform/webhooks/webhook-sender.ts';
import { numberedEvents, typesOf } from '../event-log/public.ts';
import type { Module } from '../module.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { createSendRate, startDeliverer } from './deliver-webhooks.ts';
import { disableWebhook } from './disable-webhook.ts';
import { enableWebhook } from './enable-webhook.ts';
import { expireDeliveries } from './expire-deliveries.ts';
import { findWebhookDeliveries } from './find-webhook-deliveries.ts';
import { findWebhooks } from './find-webhooks.ts';
import { getWebhook } from './get-webhook.ts';
import { putWebhook } from './put-webhook.ts';
import { resendWebhookDelivery } from './resend-webhook-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhookMetrics } from './webhook-metrics.ts';

/** Posts the events of the other modules to their subscribers. */
export function webhooks(others: readonly Module[]): Module {
  const records = others.flatMap(({ recordEvents = [] }) => recordEvents);
  const types = new Set(records.flatMap(typesOf));
  const render = numberedEvents(records);
  const sender = new WebhookSender();
  const sendRate = createSendRate();
  return {
    name: 'webhooks',
    operations: [
      findWebhooks,
      createWebhook(types),
      getWebhook,
      putWebhook(types),
      deleteWebhook,
      rotateWebhookSecret,
      enableWebhook,
      disableWebhook,
      testWebhook(sender, sendRate),
      findWebhookDeliveries,
      resendWebhookDelivery,
    ],
    jobs: [expireDeliveries],
    updateMetrics: updateWebhookMetrics,
    runBeside: ({ db, settings }, onError) =>
      startDeliverer({ db, render, sender, networks: settings.webhookNetworks, sendRate, onError }),
  };
}
