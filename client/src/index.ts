export {
  ConnectionError,
  MotorpoolError,
  ProblemError,
  TokenError,
  WebhookVerificationError,
} from './errors.ts';
export { eTagOf } from './etag.ts';
export type * from './generated/schemas.ts';
export { Motorpool, type MotorpoolOptions } from './motorpool.ts';
export type { Page, SearchResults } from './search-results.ts';
export type { CallOptions, Content } from './transport.ts';
export type { UploadProgress } from './upload-progress.ts';
export { type SignedWebhook, verifyWebhook } from './verify-webhook.ts';
