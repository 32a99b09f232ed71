import type { BlockList } from 'node:net';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../isolation/module-file.ts';
import type { SpanOptions } from '../tracing/trace-span.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { Outcome, WebhookMessage } from './post-webhook.ts';
import type { ThreadAnswer, ThreadRequest } from './webhook-worker.ts';

export type SendOptions = {
  /** Whose receiver it is: the work of encryption is counted for each tenant. */
  tenant: string;
  /** Networks that are not public and may be reached all the same, also without encryption. */
  networks: BlockList;
  timeoutMs: number;
  /** Is called for each new connection. */
  onConnect?: () => void;
};

/** For messages to one receiver, one after the other; the connection is kept between them. */
export type WebhookConnection = {
  /** Redirects are not followed: they are answers like any other. */
  send(message: WebhookMessage): Promise<Outcome>;
  close(): void;
};

type Pending = PromiseWithResolvers<Outcome> & Pick<SendOptions, 'onConnect'>;

/**
 * Sends messages from a thread of its own: how long it takes to check the certificates of a receiver is chosen by the receiver,
 * and would hold up requests. The thread is started when it is needed, and does not keep the process running.
 */
export class WebhookSender {
  #thread?: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  connect(options: SendOptions): WebhookConnection {
    const connection = this.#nextId();
    return {
      send: (message) =>
        inSpan('POST webhook', webhookSpan(message), async (span) => {
          const traceparent = span && { traceparent: span.traceparent };
          const headers = { ...message.headers, ...traceparent };
          const outcome = await this.#send(connection, { ...message, headers }, options);
          const { status, error } = outcome;
          if (status !== undefined) span?.set({ 'http.response.status_code': status });
          if (error !== undefined) span?.fail('unanswered');
          else if (status >= 400) span?.fail(String(status));
          return outcome;
        }),
      close: () => this.#thread?.postMessage({ close: connection } satisfies ThreadRequest),
    };
  }

  #send(
    connection: number,
    message: WebhookMessage,
    { onConnect, ...options }: SendOptions,
  ): Promise<Outcome> {
    const id = this.#nextId();
    const pending: Pending = { ...Promise.withResolvers(), onConnect };
    this.#pending.set(id, pending);
    this.#thread ??= this.#startThread();
    this.#thread.ref();
    this.#thread.postMessage({ ...options, id, connection, message } satisfies ThreadRequest);
    return pending.promise;
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #startThread(): Worker {
    const thread = new Worker(moduleFile(import.meta.dirname, 'webhook-worker.ts'));
    let reason = new Error('the thread that sends webhooks has ended');
    thread.on('message', (answer: ThreadAnswer) => this.#onAnswer(answer));
    thread.on('error', (error: Error) => {
      reason = error;
    });
    thread.on('exit', () => {
      this.#thread = undefined;
      for (const { reject } of this.#pending.values()) reject(reason);
      this.#pending.clear();
    });
    return thread;
  }

  #onAnswer(answer: ThreadAnswer): void {
    const pending = this.#pending.get(answer.id);
    if ('isConnected' in answer) {
      pending?.onConnect?.();
      return;
    }
    if ('outcome' in answer) pending?.resolve(answer.outcome);
    else pending?.reject(answer.failure);
    this.#pending.delete(answer.id);
    if (this.#pending.size === 0) this.#thread?.unref();
  }
}

/** Without the path and the query of the address, which may have secrets of the receiver. */
function webhookSpan({ url, headers }: WebhookMessage): SpanOptions {
  const { hostname, port, protocol } = new URL(url);
  const isEncrypted = protocol === 'https:';
  return {
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname,
      'server.port': Number(port || (isEncrypted ? 443 : 80)),
      'motorpool.event_id': headers['webhook-id'],
    },
  };
}
