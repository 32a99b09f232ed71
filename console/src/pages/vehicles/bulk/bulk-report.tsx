import { Button, Group, Text, Title } from '@mantine/core';
import { ProblemError, type Vehicle } from '@motorpool/client';
import { describeProblem } from '../../../feedback/problem.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { CopyableId } from '../../../values/copyable-id.tsx';
import { StateBadge } from '../../../values/state-badge.tsx';
import { plateOf } from '../../../values/vehicle-names.ts';
import classes from './bulk.module.css';
import { type BulkProgress, notDone } from './run-bulk.ts';

type Props = {
  progress: BulkProgress<Vehicle>;
  onRetry(vehicles: readonly Vehicle[]): void;
  onClose(): void;
};

export function BulkReport({ progress, onRetry, onClose }: Props) {
  const texts = useTexts();
  const { bulk: words, forms, feedback } = texts;
  const { number } = useFormats();
  const { done, failures, left } = progress;
  const remaining = notDone(progress);
  return (
    <>
      <div role="status">
        {failures.length > 0 ? (
          <StateBadge
            tone="danger"
            icon="circle-alert"
            text={
              left.length > 0
                ? words.stoppedAndFailed(number(done), number(failures.length), number(left.length))
                : words.someFailed(number(done), number(failures.length))
            }
          />
        ) : left.length > 0 ? (
          <StateBadge
            tone="warning"
            icon="pause"
            text={words.stopped(number(done), number(left.length))}
          />
        ) : (
          <StateBadge tone="good" icon="circle-check" text={words.allDone(done, number(done))} />
        )}
      </div>
      {failures.length > 0 && (
        <div className={classes.failures}>
          <Title order={3}>{words.failed}</Title>
          <ul>
            {failures.map(({ item, error }) => {
              const { title, advice, requestId } = describeProblem(error, texts);
              const reason =
                error instanceof ProblemError && error.detail
                  ? error.detail
                  : `${title}. ${advice}`;
              return (
                <li key={item.asset.id}>
                  <AnchorLink
                    to="/vehicles/$vehicleId"
                    params={{ vehicleId: item.asset.id }}
                    fw={500}
                  >
                    {plateOf(item)}
                  </AnchorLink>
                  <Text size="sm">{reason}</Text>
                  {requestId && <CopyableId id={requestId} label={feedback.requestId} />}
                </li>
              );
            })}
          </ul>
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        {remaining.length > 0 && (
          <Button variant="default" onClick={() => onRetry(remaining)}>
            {(left.length > 0 ? words.resume : words.retry)(number(remaining.length))}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {forms.close}
        </Button>
      </Group>
    </>
  );
}
