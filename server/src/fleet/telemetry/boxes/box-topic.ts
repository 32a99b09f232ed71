import type { ProviderRef } from '../../../platform/http/operation.ts';

/** What is subscribed to: `motorpool/{countryCode}/{code}/{serial}/messages`. */
export const boxTopics = 'motorpool/+/+/+/messages';

const pattern = /^motorpool\/([A-Z]{2})\/([A-Z0-9]{3})\/([A-Za-z0-9._-]{1,64})\/messages$/;

/** Whose topic it is; undefined where the codes or the serial are malformed. */
export function parseBoxTopic(
  topic: string,
): { provider: ProviderRef; serial: string } | undefined {
  const [, countryCode, code, serial] = pattern.exec(topic) ?? [];
  if (!countryCode || !code || !serial) return undefined;
  return { provider: { id: `${countryCode}-${code}`, countryCode, code }, serial };
}
