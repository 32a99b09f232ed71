export { createAuditPartitions, keptFrom } from './audit-partitions.ts';
export { eraseCustomerKey } from './customer-key.ts';
