import { Tooltip, UnstyledButton } from '@mantine/core';
import type { AuditEvent } from '@motorpool/client';
import { Icon } from '../../../icons/icon.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { useNow } from '../../../values/now.ts';
import { StateBadge } from '../../../values/state-badge.tsx';
import classes from './audit.module.css';
import { AuditChanges } from './audit-changes.tsx';

const looks = {
  created: { tone: 'good', icon: 'plus' },
  changed: { tone: 'info', icon: 'pencil' },
  deleted: { tone: 'danger', icon: 'trash-2' },
  exported: { tone: 'neutral', icon: 'download' },
  'signed-in': { tone: 'neutral', icon: 'user-round' },
  'sign-in-failed': { tone: 'warning', icon: 'triangle-alert' },
  'code-failed': { tone: 'danger', icon: 'triangle-alert' },
  'sign-in-refused': { tone: 'warning', icon: 'ban' },
  'signed-out': { tone: 'neutral', icon: 'log-out' },
} as const;

type Props = { event: AuditEvent; isOpen: boolean; onToggle(): void };

export function AuditRow({ event, isOpen, onToggle }: Props) {
  const { audit: words, auditTypes } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const { occurredAt, action, type, vehicleId, recordId, changes } = event;
  const count = Object.keys(changes).length;
  const record = recordId ?? vehicleId;
  return (
    <li className={classes.event}>
      <div className={classes.line}>
        <Tooltip label={formats.time(occurredAt)}>
          <time dateTime={occurredAt} className={classes.time}>
            {formats.age(occurredAt, Math.max(now, new Date(occurredAt).getTime()))}
          </time>
        </Tooltip>
        <Actor actor={event.actor} />
        <span className={classes.action}>
          <StateBadge {...looks[action]} text={words.actions[action]} />
        </span>
        <span className={classes.record}>
          {(auditTypes as Record<string, string>)[type] ?? type}
          {vehicleId && (
            <>
              {' · '}
              <AnchorLink
                to="/settings/$section"
                params={{ section: 'audit' }}
                search={{ record: vehicleId }}
              >
                {vehicleId}
              </AnchorLink>
            </>
          )}
          {record && record !== vehicleId && <CopyableId id={record} />}
        </span>
        {count > 0 && (
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={`${words.showDetails}: ${words.details(count)}`}
            onClick={onToggle}
          >
            {words.details(count)}
            <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size={14} />
          </UnstyledButton>
        )}
      </div>
      {isOpen && <AuditChanges event={event} />}
    </li>
  );
}

function Actor({ actor }: { actor: AuditEvent['actor'] }) {
  const { audit: words } = useTexts();
  const { kind, username, clientId, subject } = actor;
  const name = username ?? clientId ?? subject ?? words.anonymous;
  if (kind === 'command')
    return <span className={classes.actor}>{`${words.command} · ${name}`}</span>;
  const filter =
    kind === 'user' && username
      ? `user:${username}`
      : kind === 'client' && clientId
        ? `client:${clientId}`
        : undefined;
  return (
    <span className={classes.actor}>
      {filter ? (
        <AnchorLink
          to="/settings/$section"
          params={{ section: 'audit' }}
          search={{ actor: filter }}
        >
          {name}
        </AnchorLink>
      ) : (
        name
      )}
    </span>
  );
}
