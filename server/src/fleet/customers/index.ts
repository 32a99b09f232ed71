import type { Module } from '../module.ts';
import { eraseUser } from './erase-user.ts';
import { eraseUserJob } from './erase-user-job.ts';
import { erasureEvents } from './erasure-events.ts';
import { exportUser } from './export-user.ts';
import { getErasure } from './get-erasure.ts';
import { getUser } from './get-user.ts';

/** What the service keeps of a customer: made of what the other modules declare. */
export function customers(others: readonly Module[]): Module {
  // The last step of an erasure removes the customer from it.
  const customerData = { tables: ['customer_erasures'] };
  const data = [...others.flatMap((other) => other.customerData ?? []), customerData];
  const job = eraseUserJob(data);
  return {
    name: 'customers',
    operations: [getUser(data), exportUser(data), eraseUser(data, job), getErasure],
    recordEvents: [erasureEvents],
    jobs: [job],
    customerData,
  };
}
