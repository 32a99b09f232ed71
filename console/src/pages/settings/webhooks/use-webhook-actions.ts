import { notifications } from '@mantine/notifications';
import type { Webhook, WebhookTest } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from '../../../feedback/notify.ts';
import { queryKey } from '../../../fleet/queries.ts';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

/** What a list and the page of a webhook can both do with it. */
export function useWebhookActions() {
  const texts = useTexts();
  const { webhooks: words } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: queryKey('webhook') });
  const onError = (problem: unknown) => notifyProblem(problem, texts);
  const toggle = useMutation({
    mutationFn: ({ id, status }: Webhook) =>
      status === 'active' ? fleet.webhooks.disable(id) : fleet.webhooks.enable(id),
    onSuccess: ({ status }) => notifyDone(status === 'active' ? words.enabled : words.disabled),
    onError,
    onSettled: renew,
  });
  const test = useMutation({
    mutationFn: ({ id }: Webhook) => fleet.webhooks.test(id),
    onSuccess: ({ accepted, answerStatus, error }: WebhookTest) => {
      if (accepted) notifyDone(words.accepted(answerStatus ?? 200));
      else
        notifications.show({
          message: error ? words.noAnswer(error) : words.answered(answerStatus ?? 0),
          color: 'red',
          autoClose: false,
        });
    },
    onError,
  });
  return { toggle, test, renew };
}
