import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formType, parseForm } from './form-parameters.ts';

/** Registers routes that answer pages and take forms. */
export function servePages(
  app: FastifyInstance,
  contentSecurityPolicy: string,
  register: (scope: FastifyInstance) => void,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      formType,
      { parseAs: 'string', bodyLimit: 16_384 },
      async (_request: FastifyRequest, body: string) => Object.fromEntries(parseForm(body)),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('cache-control', 'no-store')
        .type('text/html');
    });
    register(scope);
  });
}
