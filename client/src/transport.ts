import { ConnectionError, problemOf } from './errors.ts';
import { rememberETag } from './etag.ts';
import { resumingEvents } from './event-stream.ts';
import type { Pagination } from './generated/schemas.ts';
import { laterPosition, positionHeader } from './position.ts';
import { isRefusal, isTransient, pause, pauseBefore } from './retry.ts';
import { type Page, SearchResults } from './search-results.ts';
import type { TokenSource } from './token-source.ts';
import { requestWithProgress, type UploadProgress, uploadWithProgress } from './upload-progress.ts';

/** Options of every call. */
export type CallOptions = {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** How long to wait for an answer, for each try; the client's `timeoutMs` when left out. */
  timeoutMs?: number;
  /** Makes repetitions of a POST or PATCH one change; a random one when left out. */
  idempotencyKey?: string;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Hears how much of an upload has been sent. In browsers, and not of a stream. */
  onUploadProgress?: (progress: UploadProgress) => void;
};

/** Bytes to upload. A stream is read once, so its upload is not repeated when it fails. */
export type Content =
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | string;

type Parameters = Record<string, string | number | boolean | readonly string[] | undefined>;

export type Call = {
  method: string;
  /** Below the provider's base. */
  path: string;
  query?: Parameters;
  headers?: Parameters;
  body?: unknown;
  content?: Content;
  /** It changes nothing. */
  isSafe?: boolean;
  /** The service knows its repetitions by a key. */
  isKeyed?: boolean;
};

export type TransportSettings = {
  fetch: typeof fetch;
  /** The provider's base. */
  url: string;
  tokens: TokenSource;
  retries: number;
  timeoutMs: number;
};

type Prepared = { url: URL; method: string; headers: Headers; body: Content | undefined };

/** Sends calls: with a token, again where that is safe, and with errors as exceptions. */
export class Transport {
  readonly #settings: TransportSettings;
  #position: string | undefined;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  async json<Result>(call: Call, options: CallOptions): Promise<Result> {
    return this.#read<Result>(call, options);
  }

  async empty(call: Call, options: CallOptions): Promise<void> {
    await this.#read(call, options);
  }

  /** The answer itself: its body can be streamed. */
  response(call: Call, options: CallOptions): Promise<Response> {
    return this.#send(call, options, async (response) => response);
  }

  search<Item, Position = Pagination>(
    call: Call,
    options: CallOptions,
  ): SearchResults<Item, Position> {
    return new SearchResults((next) =>
      this.#read<Page<Item, Position>>(atPage(call, next), options),
    );
  }

  /** The events of a stream, which is opened again where it broke. */
  events<Item>(call: Call, options: CallOptions): AsyncGenerator<Item, void, undefined> {
    const open = (lastEventId: string | undefined) => {
      const headers = { ...call.headers, ...(lastEventId && { 'Last-Event-ID': lastEventId }) };
      return this.response({ ...call, headers }, options);
    };
    return resumingEvents(open, options.signal);
  }

  #read<Result>(call: Call, options: CallOptions): Promise<Result> {
    return this.#send(call, options, async (response) => {
      const text = await response.text();
      const result = text === '' ? undefined : JSON.parse(text);
      rememberETag(result, response.headers.get('etag'));
      return result as Result;
    });
  }

  async #send<Result>(
    call: Call,
    options: CallOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { retries, tokens, timeoutMs } = this.#settings;
    const request = this.#prepare(call, options);
    let tokensRefused = 0;
    let mayBeDone = false;
    for (let attempt = 0; ; attempt++) {
      options.signal?.throwIfAborted();
      const token = await tokens.token();
      options.signal?.throwIfAborted();
      let response: Response | undefined;
      let failure: unknown;
      const deadline = startDeadline(
        options.timeoutMs ?? (call.content === undefined ? timeoutMs : undefined),
      );
      try {
        response = await this.#fetch(request, token, options, deadline.signal);
        this.#rememberPosition(response);
        if (response.ok) return await read(response);
      } catch (cause) {
        options.signal?.throwIfAborted();
        failure = cause;
        response = undefined;
      } finally {
        deadline.clear();
      }
      if (response?.status === 401 && tokensRefused++ === 0 && isRepeatable(call)) {
        tokens.refuse(token);
        await response.body?.cancel();
        continue;
      }
      // A try before has deleted it, and its answer was lost.
      if (response?.status === 404 && call.method === 'DELETE' && mayBeDone)
        return undefined as Result;
      mayBeDone ||= response?.status !== 429;
      const wait = this.#pauseBefore(call, attempt, response, retries);
      if (wait === undefined)
        throw response ? await problemOf(response, call) : lost(request.url, failure);
      await response?.body?.cancel();
      await pause(wait, options.signal);
    }
  }

  /** Undefined where the call is not to be repeated. */
  #pauseBefore(call: Call, attempt: number, response: Response | undefined, retries: number) {
    if (attempt >= retries || !isRepeatable(call)) return undefined;
    if (response && !isTransient(response.status) && !isInProgress(call, response))
      return undefined;
    // It may have been done, and the version it asks for is then the one before.
    const isConditional = call.headers?.['If-Match'] ?? call.headers?.['If-None-Match'];
    if (isConditional && call.method !== 'GET' && !(response && isRefusal(response.status)))
      return undefined;
    return pauseBefore(attempt, response);
  }

  /** A service with a replica then shows searches what this client has written, whichever process answers. */
  #rememberPosition({ headers }: Response): void {
    this.#position = laterPosition(this.#position, headers.get(positionHeader) ?? undefined);
  }

  #prepare(call: Call, options: CallOptions): Prepared {
    const url = new URL(this.#settings.url + call.path);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(call.headers ?? {}))
      if (value !== undefined) headers.set(name, String(value));
    if (this.#position !== undefined) headers.set(positionHeader, this.#position);
    if (call.isKeyed) headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
    if (call.body !== undefined) headers.set('Content-Type', 'application/json');
    const body = call.body === undefined ? call.content : JSON.stringify(call.body);
    if (call.content !== undefined && !headers.has('Content-Type') && !hasType(call.content))
      headers.set('Content-Type', 'application/octet-stream');
    return { url, method: call.method, headers, body };
  }

  #fetch(
    { url, method, headers, body }: Prepared,
    token: string,
    { signal: ended, onUploadProgress }: CallOptions,
    deadline: AbortSignal,
  ): Promise<Response> {
    headers.set('Authorization', `Bearer ${token}`);
    const signal = ended ? AbortSignal.any([ended, deadline]) : deadline;
    const Request = onUploadProgress && requestWithProgress();
    if (Request && isUpload(body)) {
      const upload = { url, method, headers, body, signal };
      return uploadWithProgress(new Request(), upload, onUploadProgress);
    }
    // The service does not redirect, and what was sent must not arrive elsewhere, or as a GET.
    const init: RequestInit & { duplex?: 'half' } = { method, headers, signal, redirect: 'manual' };
    if (body !== undefined) init.body = body;
    if (body instanceof ReadableStream) init.duplex = 'half';
    return this.#settings.fetch(url, init);
  }
}

/** Aborts what takes too long, until it is cleared: a body that is streamed may take any time. */
function startDeadline(milliseconds: number | undefined) {
  const controller = new AbortController();
  const expire = () =>
    controller.abort(new DOMException('The answer took too long', 'TimeoutError'));
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

const isRepeatable = ({ method, content, isSafe, isKeyed }: Call) =>
  !(content instanceof ReadableStream) &&
  (isSafe || isKeyed || method === 'GET' || method === 'PUT' || method === 'DELETE');

/** The try before, whose answer was lost, is still being processed. */
const isInProgress = ({ isKeyed }: Call, { status, headers }: Response) =>
  isKeyed === true && status === 409 && headers.has('retry-after');

const isUpload = (
  body: Content | undefined,
): body is Exclude<Content, string | ReadableStream<Uint8Array>> =>
  body !== undefined && typeof body !== 'string' && !(body instanceof ReadableStream);

const hasType = (content: Content) => content instanceof Blob && content.type !== '';

const lost = (url: URL, cause: unknown) =>
  new ConnectionError(`No answer from ${url.origin}${url.pathname}`, { cause });

/** The call for another page: lists take it from the query, searches from the body. */
function atPage(call: Call, next: object | undefined): Call {
  if (next === undefined) return call;
  if (call.method === 'GET') return { ...call, query: { ...call.query, ...next } };
  const body = (call.body ?? {}) as { pagination?: object; pageRequest?: object };
  const { pageRequest, pagination = pageRequest, ...rest } = body;
  return { ...call, body: { ...rest, pagination: { ...pagination, ...next } } };
}

/** A path with its parameters encoded. */
export function path(texts: TemplateStringsArray, ...parameters: string[]): string {
  return texts.reduce((path, text, index) => {
    const parameter = parameters[index - 1] ?? '';
    if (parameter === '' || parameter === '.' || parameter === '..')
      throw new TypeError(`"${parameter}" cannot be part of the path ${texts.join('…')}`);
    return path + encodeURIComponent(parameter) + text;
  });
}
