import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onceClosed } from './once-closed.ts';

const handlers = new WeakMap<IncomingMessage, Promise<unknown>>();

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** A handler whose end is known: it goes on when its client has hung up. */
export function tracked(handler: Handler): Handler {
  return (request, reply) => {
    const handling = handler(request, reply);
    handlers.set(request.raw, handling);
    return handling;
  };
}

/** Runs once the response is closed, and the tracked handler has ended, if it has begun. */
export function onceHandled(response: ServerResponse, run: () => void): void {
  onceClosed(response, () => {
    const handler = handlers.get(response.req);
    if (handler) handler.then(run, run);
    else run();
  });
}
