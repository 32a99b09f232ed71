import { createAuditPartitions } from '../../platform/db/audit-partitions.ts';
import type { Module } from '../module.ts';
import { findAuditEvents } from './find-audit-events.ts';
import { maintainAuditPartitions } from './maintain-audit-partitions.ts';
import { sealEventsJob } from './seal-events.ts';

export const audit: Module = {
  name: 'audit',
  operations: [findAuditEvents],
  jobs: [sealEventsJob, maintainAuditPartitions],
  // The keys of what the trail says of customers, which it repeats.
  customerData: { tables: ['audit_key_customers'] },
  start: ({ owner }) => createAuditPartitions(owner),
};
