import Type, { type Static } from 'typebox';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { isReachable, literalAddress } from '../../platform/webhooks/reachable-address.ts';
import type { Dependencies } from '../dependencies.ts';

const statuses = ['active', 'paused', 'ended'] as const;

const properties = {
  url: Type.String({
    minLength: 1,
    maxLength: 1_000,
    pattern: '^[!-~]*$',
    description:
      'Where events are posted to: https, at a public address, unless the operator allows others.',
    examples: ['https://erp.example.com/motorpool-events'],
  }),
  types: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '^[A-Za-z0-9.-]*$' }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'The types of events that are delivered; all when left out.',
      examples: [['incident.created.v1', 'incident.updated.v1']],
    }),
  ),
  description: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What it is for.',
      examples: ['ERP, incidents'],
    }),
  ),
};

/** Unset values are absent. */
export const WebhookSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Made by the service.' }),
    ...properties,
    status: Type.Enum([...statuses], {
      type: 'string',
      description:
        '`paused`: it was disabled, or nothing was delivered for three days, and nothing is sent until it is enabled. `ended`: the receiver has answered 410.',
    }),
    statusReason: Type.Optional(
      Type.String({ maxLength: 500, description: 'Why it is not active.' }),
    ),
    failingSince: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Since when no delivery has succeeded; absent when the last one has.',
      }),
    ),
    previousSecretExpiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Until when deliveries are also signed with the secret before the last rotation.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
  },
  { $id: 'Webhook', additionalProperties: false },
);
type Webhook = Static<typeof WebhookSchema>;

export const WebhookWithSecretSchema = Type.Object(
  {
    ...WebhookSchema.properties,
    secret: Type.String({
      maxLength: 100,
      description:
        'Verifies the signatures of deliveries (Standard Webhooks). It is not shown again.',
    }),
  },
  { $id: 'WebhookWithSecret', additionalProperties: false },
);

export const WebhookRequestSchema = Type.Object(
  {
    ...properties,
    id: readOnly,
    status: readOnly,
    statusReason: readOnly,
    failingSince: readOnly,
    previousSecretExpiresAt: readOnly,
    createdAt: readOnly,
    updatedAt: readOnly,
  },
  { $id: 'WebhookRequest', additionalProperties: false },
);
type WebhookRequest = Static<typeof WebhookRequestSchema>;

export const exampleWebhookRequest: WebhookRequest = {
  url: 'https://erp.example.com/motorpool-events',
  types: ['incident.created.v1', 'incident.updated.v1'],
  description: 'ERP, incidents',
};

export const exampleWebhook: Webhook = {
  id: '5e0f1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b',
  url: 'https://erp.example.com/motorpool-events',
  types: ['incident.created.v1', 'incident.updated.v1'],
  description: 'ERP, incidents',
  status: 'active',
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

export const exampleWebhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ4m0Yh8vE3k=';

export const webhookParameter = {
  webhookId: uuidParameter('The id of the webhook, as the service made it.', exampleWebhook.id),
};

/** The key of a webhook, as the values of $1 and $2. */
export function webhookKey(provider: ProviderRef, webhookId: string): [string, string] {
  return [provider.id, requireUuid(webhookId, 'webhook')];
}

export const webhookColumns = `w.id, w.version, w.url, w.types, w.description, w.status, w.status_reason, w.failing_since,
  w.previous_expires_at, w.created_at, w.updated_at`;

export type WebhookRow = {
  id: string;
  version: number;
  url: string;
  types: string[];
  description: string | null;
  status: Webhook['status'];
  status_reason: string | null;
  failing_since: string | null;
  previous_expires_at: string | null;
  created_at: string;
  updated_at: string;
};

export function webhookOf(row: WebhookRow): Webhook {
  const { id, url, types, description, status, created_at, updated_at } = row;
  const { status_reason, failing_since, previous_expires_at } = row;
  return {
    id,
    url,
    ...(types.length > 0 && { types }),
    ...(description !== null && { description }),
    status,
    ...(status_reason !== null && { statusReason: status_reason }),
    ...(failing_since !== null && { failingSince: failing_since }),
    ...(previous_expires_at !== null &&
      Date.parse(previous_expires_at) > Date.now() && {
        previousSecretExpiresAt: previous_expires_at,
      }),
    createdAt: created_at,
    updatedAt: updated_at,
  };
}

export const webhooks: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 'w.id'],
    url: ['text', 'w.url'],
    types: ['text', 'type', { anyOf: 'from unnest(w.types) type where true' }],
    description: ['text', 'w.description'],
    status: ['text', 'w.status', { values: statuses }],
    failingSince: ['date-time', 'w.failing_since'],
    createdAt: ['date-time', 'w.created_at'],
    updatedAt: ['date-time', 'w.updated_at'],
  }),
  columns: webhookColumns,
  from: 'webhooks w',
  textColumns: ['w.url', 'w.description'],
  defaultOrder: ['w.created_at'],
  id: 'w.id',
};

/** The request's issues beyond its schema, by the types that there are. */
export function webhookIssues(types: ReadonlySet<string>) {
  const known = [...types].join(', ');
  return (body: WebhookRequest): ValidationIssue[] => [
    ...(body.types ?? []).flatMap((type, index) =>
      types.has(type)
        ? []
        : [
            {
              pointer: `/types/${index}`,
              detail: `${JSON.stringify(type)} is no type of event: ${known}.`,
            },
          ],
    ),
    ...urlIssues(body.url),
  ];
}

function urlIssues(text: string): ValidationIssue[] {
  const url = parseUrl(text);
  const issue = (detail: string) => [{ pointer: '/url', detail }];
  if (!url || !['https:', 'http:'].includes(url.protocol))
    return issue('url must be an https URL.');
  if (url.username || url.password)
    return issue('url must not have a user or a password: deliveries are signed.');
  if (url.hash) return issue('url must not have a fragment.');
  return [];
}

/** What the operator does not allow; names are resolved when connecting. */
export function networkIssues(
  text: string,
  { webhookNetworks }: Dependencies['settings'],
): ValidationIssue[] {
  const url = new URL(text);
  // A full name may end with a dot.
  const isLocal = url.hostname.replace(/\.$/, '') === 'localhost';
  const address = isLocal ? '127.0.0.1' : literalAddress(url);
  if (address !== undefined && !isReachable(address, webhookNetworks))
    return [
      {
        pointer: '/url',
        detail: `${url.hostname} is not a public address; the operator can allow its network with WEBHOOK_NETWORKS.`,
      },
    ];
  if (url.protocol === 'http:' && webhookNetworks.rules.length === 0)
    return [{ pointer: '/url', detail: 'url must be https.' }];
  return [];
}

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('webhook');
