import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Provider } from 'oidc-provider';
import { methodNotAllowed } from '../platform/http/problem.ts';

export type RealmServer = {
  version: string;
  server: Provider;
  handle: ReturnType<Provider['callback']>;
};

export type RealmRequest = FastifyRequest<{
  Params: { realm: string };
  Body: Record<string, string> | undefined;
}>;

/** Serves a path below every realm; other methods than those are answered with 405. */
export function serve(
  scope: FastifyInstance,
  path: string,
  methods: HTTPMethods[],
  handler: (request: RealmRequest, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  const url = `/realms/:realm${path}`;
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  scope.route({
    method: methods,
    url,
    config: { operationId: `realm ${path.split('/').at(-1)}`.trimEnd() },
    handler: handler as never,
  });
  scope.route({
    method: scope.supportedMethods.filter((method) => !allowed.includes(method)) as HTTPMethods[],
    url,
    onRequest: async () => {
      throw methodNotAllowed(allowed);
    },
    handler: async () => {},
  });
}
