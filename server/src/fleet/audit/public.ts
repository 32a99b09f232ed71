export { type AuditEvent, auditEventOf, auditEvents } from './audit-event.ts';
export { eraseCustomerKeys } from './customer-keys.ts';
export { searchAuditEvents } from './find-audit-events.ts';
export { recordExport } from './record-export.ts';
export { recordImport } from './record-import.ts';
export { listAuditedProviders } from './seal-events.ts';
export { verifyChain } from './verify-chain.ts';
