import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ValidationIssue } from '../../platform/http/problem.ts';
import type { RuleContext } from '../../platform/http/request-part.ts';
import { dateOf } from '../../platform/time/instant.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import type { Dependencies } from '../dependencies.ts';
import { readProfile } from './profile-store.ts';

/** The time zone of a provider, and the calendar date of the present there. */
export async function readCalendar(
  db: Queryable,
  providerId: string,
  now: Date,
): Promise<{ timeZone: string; today: string }> {
  const { timeZone } = (await readProfile(db, providerId)).profile;
  return { timeZone, today: dateIn(timeZone, now) };
}

/** Today in the time zone of a provider, for the rules of an operation. */
export async function todayOf(
  provider: ProviderRef,
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
): Promise<string> {
  return (await readCalendar(db, provider.id, clock.now())).today;
}

export function futureIssues(
  name: string,
  date: string | undefined,
  { now, today = dateOf(now) }: RuleContext,
): ValidationIssue[] {
  if (date === undefined || date <= today) return [];
  const detail = `${name} must not be in the future: today is ${today}.`;
  return [{ pointer: `/${name}`, detail }];
}
