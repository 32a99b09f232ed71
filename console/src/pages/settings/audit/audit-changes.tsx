import { Text } from '@mantine/core';
import type { AuditEvent } from '@motorpool/client';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import classes from './audit.module.css';

/** Each field before and after, and where the change came from. */
export function AuditChanges({ event }: { event: AuditEvent }) {
  const { audit: words, feedback } = useTexts();
  const { changes, operation, requestId, actor, erased } = event;
  return (
    <div className={classes.details}>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([field, { before, after }]) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td data-side="before">{shown(before)}</td>
              <td data-side="after">{shown(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {erased && (
        <Text size="xs" c="dimmed">
          {words.erased}
        </Text>
      )}
      <dl className={classes.origin}>
        {operation && (
          <div>
            <dt>{words.operation}</dt>
            <dd>{operation}</dd>
          </div>
        )}
        {actor.address && (
          <div>
            <dt>{words.address}</dt>
            <dd>{actor.address}</dd>
          </div>
        )}
        {requestId && (
          <div>
            <dt>{feedback.requestId}</dt>
            <dd>
              <CopyableId id={requestId} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
