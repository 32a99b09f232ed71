import type { Invoice } from '@motorpool/client';
import { dayOf, daysBetween } from '../formats/days.ts';
import type { Formats } from '../formats/formats.ts';
import type { Texts } from '../texts/texts.ts';

type Due = { dueDate?: string | undefined; dueOdometer?: number | undefined };
type Words = { texts: Pick<Texts, 'lateness'>; formats: Formats };

/** By how many days, and by how many kilometres, something is overdue; nothing where neither is known to have passed. */
export function latenessOf(
  { dueDate, dueOdometer }: Due,
  odometer: number | undefined,
  now: number,
  { texts: { lateness }, formats }: Words,
): string[] {
  const days = dueDate === undefined ? 0 : daysBetween(dueDate, dayOf(new Date(now)));
  const distance = dueOdometer === undefined || odometer === undefined ? 0 : odometer - dueOdometer;
  return [
    days > 0 && lateness.days(days, formats.number(days)),
    distance >= 1 && lateness.distance(formats.kilometres(distance)),
  ].filter((part) => part !== false);
}

/** By how many days an invoice that is approved should have been paid; undefined where there is nothing to pay, or time. */
export function invoiceLatenessOf(
  { status, type, dueDate }: Pick<Invoice, 'status' | 'type' | 'dueDate'>,
  now: number,
  words: Words,
): string | undefined {
  if (status !== 'approved' || type === 'credit_note') return undefined;
  const [late] = latenessOf({ dueDate }, undefined, now, words);
  return late;
}
