import type { Module } from '../module.ts';
import { getUser } from './get-user.ts';

/** What the service keeps of a customer: made of what the other modules declare. */
export function customers(others: readonly Module[]): Module {
  const data = others.flatMap(({ customerData }) => customerData ?? []);
  return { name: 'customers', operations: [getUser(data)] };
}
