import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { ConnectionError, ProblemError } from '@motorpool/client';
import { Icon } from '../icons/icon.tsx';
import type { Texts } from '../texts/texts.ts';
import { useTexts } from '../texts/texts-provider.tsx';
import { CopyableId } from '../values/copyable-id.tsx';
import classes from './feedback.module.css';

type Props = { error: unknown; onRetry?: (() => void) | undefined };

/** What went wrong, what to do next, and the id by which an operator finds the request. */
export function Problem({ error, onRetry }: Props) {
  const texts = useTexts();
  const { title, advice, requestId } = describeProblem(error, texts);
  return (
    <Stack className={classes.message} role="alert" gap="xs">
      <Icon name="circle-alert" size={28} className={classes.problemIcon} />
      <Title order={2}>{title}</Title>
      <Text c="dimmed">{advice}</Text>
      {requestId && (
        <Group gap={6} justify="center">
          <Text c="dimmed" size="xs">
            {texts.feedback.requestId}
          </Text>
          <CopyableId id={requestId} />
        </Group>
      )}
      {onRetry && (
        <Button
          variant="default"
          onClick={onRetry}
          leftSection={<Icon name="refresh-cw" size={16} />}
        >
          {texts.feedback.tryAgain}
        </Button>
      )}
    </Stack>
  );
}

/** The same in a line, for a part of a page. */
export function InlineProblem({ error }: { error: unknown }) {
  const texts = useTexts();
  const { title, advice, requestId } = describeProblem(error, texts);
  return (
    <div className={classes.inline} role="alert">
      <Icon name="circle-alert" size={16} className={classes.problemIcon} />
      <span>{`${title}. ${advice}`}</span>
      {requestId && <CopyableId id={requestId} label={texts.feedback.requestId} />}
    </div>
  );
}

type Description = { title: string; advice: string; requestId: string | undefined };

export function describeProblem(error: unknown, { feedback }: Texts): Description {
  if (error instanceof ConnectionError) return { ...feedback.unreachable, requestId: undefined };
  if (!(error instanceof ProblemError)) return { ...feedback.broken, requestId: undefined };
  const { requestId, status, detail } = error;
  const known = feedback.kinds[error.kind];
  if (known) return { ...known, requestId };
  if (status === 403) return { ...feedback.refused, requestId };
  if (status === 404) return { ...feedback.missing, requestId };
  if (status === 412) return { ...feedback.conflict, requestId };
  if (status === 429) return { ...feedback.tooMany, requestId };
  if (status >= 500) return { ...feedback.failed, requestId };
  return { title: feedback.invalid.title, advice: detail ?? feedback.invalid.advice, requestId };
}
