export { type AuditEvent, auditEvents } from './audit-event.ts';
export { searchAuditEvents } from './find-audit-events.ts';
export { listAuditedProviders } from './seal-events.ts';
export { verifyChain } from './verify-chain.ts';
