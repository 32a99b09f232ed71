import type { Webhook } from '@motorpool/client';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';

const looks = {
  active: { tone: 'good', icon: 'circle-check' },
  paused: { tone: 'neutral', icon: 'pause' },
  ended: { tone: 'danger', icon: 'ban' },
} as const;

export function WebhookState({ webhook }: { webhook: Webhook }) {
  const { webhooks: words } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const { status, failingSince } = webhook;
  if (status === 'active' && failingSince)
    return (
      <StateBadge
        tone="warning"
        icon="triangle-alert"
        text={words.failing(formats.age(failingSince, now))}
      />
    );
  return <StateBadge {...looks[status]} text={words.states[status]} />;
}
