import { notifications } from '@mantine/notifications';
import type { Texts } from '../texts/texts.ts';
import { describeProblem } from './problem.tsx';

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000 });
}

/** Stays until it is closed: somebody may want to copy the id of the request. The subject is what it is about. */
export function notifyProblem(error: unknown, texts: Texts, subject?: string): void {
  const { title: problem, advice, requestId } = describeProblem(error, texts);
  const title = subject === undefined ? problem : `${subject}: ${problem}`;
  const message = requestId ? `${advice} ${texts.feedback.requestId}: ${requestId}` : advice;
  notifications.show({ title, message, color: 'red', autoClose: false });
}
