import { useSettingsSearch } from '../use-settings-search.ts';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookList } from './webhook-list.tsx';

/** All webhooks, or the one that the address names with its log. */
export function WebhooksSection() {
  const { search } = useSettingsSearch();
  return search.open ? <WebhookDetail key={search.open} id={search.open} /> : <WebhookList />;
}
