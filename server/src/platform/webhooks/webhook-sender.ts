import { type ChildProcess, fork } from 'node:child_process';
import type { BlockList, Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { networksOf } from '../http/networks.ts';
import { moduleFile } from '../isolation/module-file.ts';
import type { SpanOptions } from '../tracing/trace-span.ts';
import { inSpan } from '../tracing/tracing.ts';
import type { Outcome, WebhookMessage } from './post-webhook.ts';
import type { ProcessAnswer, ProcessRequest, SendRequest } from './webhook-process.ts';

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

type Pending = PromiseWithResolvers<Outcome> & {
  request: SendRequest;
  /** That sends it. */
  process?: ChildProcess;
  /** In how many processes it was sent. */
  tries: number;
  onConnect: (() => void) | undefined;
};

const maxTries = 3;
/** How long a tenant sends nothing after its encryption took so long that the process was ended. */
const barredMs = 60_000;
const barred: Outcome = { error: 'the encryption of a connection took too long' };
/** What the process may take longer than a try, before it is given up. */
const graceMs = 10_000;
/** After the process has ended for a reason that nobody knows. */
const restartMs = 1_000;
/** Of the environment, what decides whose certificates are trusted. */
const environment = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * Sends messages from a process of its own: how long it takes to check the certificates of a receiver is chosen by the receiver,
 * in native code that cannot be interrupted, and would hold up requests. The process is started when it is needed, does not keep
 * this one running, and ends with it. Where it ends before, what it was to send is sent by the next one.
 */
export class WebhookSender {
  #process?: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #barredUntil = new Map<string, number>();
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
      close: () => this.#process && post(this.#process, { close: connection }),
    };
  }

  async #send(
    connection: number,
    message: WebhookMessage,
    { tenant, networks, timeoutMs, onConnect }: SendOptions,
  ): Promise<Outcome> {
    if (this.#isBarred(tenant)) return barred;
    const id = this.#nextId();
    const request = { id, tenant, message, networks: networksOf(networks), timeoutMs, connection };
    const pending: Pending = { ...Promise.withResolvers(), request, tries: 0, onConnect };
    this.#pending.set(id, pending);
    const deadline = setTimeout(
      () => pending.reject(new Error('the process that sends webhooks does not answer')),
      timeoutMs + graceMs,
    );
    try {
      this.#post(pending);
      return await pending.promise;
    } finally {
      clearTimeout(deadline);
      this.#pending.delete(id);
      this.#keepRunningFor(this.#pending.size);
    }
  }

  #isBarred(tenant: string): boolean {
    const until = this.#barredUntil.get(tenant);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#barredUntil.delete(tenant);
    return false;
  }

  #post(pending: Pending): void {
    pending.tries += 1;
    this.#process ??= this.#start();
    pending.process = this.#process;
    this.#keepRunningFor(this.#pending.size);
    post(this.#process, pending.request);
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #start(): ChildProcess {
    const child = fork(moduleFile(import.meta.dirname, 'webhook-process.ts'), {
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      execArgv: [],
      env: Object.fromEntries(environment.map((name) => [name, process.env[name]])),
    });
    let slowTenant = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      slowTenant += text;
    });
    child.on('message', (answer: ProcessAnswer) => this.#onAnswer(answer));
    child.on('error', (error) => {
      // Without a process there is no end of it.
      if (child.pid !== undefined) return;
      this.#process = undefined;
      for (const { reject } of this.#pending.values()) reject(error);
    });
    child.on('close', () => void this.#onEnd(child, slowTenant));
    return child;
  }

  #onAnswer(answer: ProcessAnswer): void {
    const pending = this.#pending.get(answer.id);
    if ('isConnected' in answer) pending?.onConnect?.();
    else if ('outcome' in answer) pending?.resolve(answer.outcome);
    else pending?.reject(new Error(answer.failure));
  }

  async #onEnd(child: ChildProcess, slowTenant: string): Promise<void> {
    if (this.#process === child) this.#process = undefined;
    if (slowTenant) this.#barredUntil.set(slowTenant, performance.now() + barredMs);
    else await sleep(restartMs);
    for (const pending of [...this.#pending.values()]) {
      if (pending.process !== child || !this.#pending.has(pending.request.id)) continue;
      if (pending.request.tenant === slowTenant) pending.resolve(barred);
      else if (pending.tries < maxTries) this.#post(pending);
      else pending.reject(new Error('the process that sends webhooks has ended'));
      // Each may be large, and is copied.
      await setImmediate();
    }
  }

  #keepRunningFor(count: number): void {
    const child = this.#process;
    if (!child) return;
    const change = count > 0 ? 'ref' : 'unref';
    child[change]();
    child.channel?.[change]();
    (child.stdout as Socket | null)?.[change]();
  }
}

/** To one that has ended nothing is sent: what is pending is then sent by the next. */
function post(child: ChildProcess, request: ProcessRequest): void {
  if (child.connected) child.send(request, () => {});
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
