/** Where the limits of clients and providers are not the subject: a fast machine would meet them. */
export const withoutLimits = {
  LIMIT_CLIENT_RATE: '0',
  LIMIT_CLIENT_CONCURRENCY: '0',
  LIMIT_PROVIDER_RATE: '0',
  LIMIT_PROVIDER_CONCURRENCY: '0',
};
