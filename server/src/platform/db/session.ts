import type pg from 'pg';
import { propagateSettings, setLocalActor } from './actor.ts';
import { statementSeconds } from './pool-metrics.ts';
import type { Pooler } from './pooler.ts';
import {
  type ConnectionState,
  isSimpleQuery,
  type Query,
  type RowShape,
  Statement,
  setActor,
} from './statement.ts';
import { recordStatement } from './statement-span.ts';

/** One connection and its state. */
export class Session implements ConnectionState {
  readonly client: pg.PoolClient;
  readonly isSharded: boolean;
  readonly prepared = new Map<string, RowShape>();
  readonly pooler: Pooler | undefined;
  pendingBegin: string | undefined;
  pendingTimeoutMs: number | undefined;
  pendingActor: string | undefined;
  startedAt: number | undefined;
  acquiredAt = 0;
  /** Why the connection cannot be used again. */
  broken: Error | undefined;

  constructor(client: pg.PoolClient, pooler?: Pooler, isSharded = false) {
    this.client = client;
    this.pooler = pooler;
    this.isSharded = isSharded;
    client.on('error', (error) => {
      this.broken = error;
    });
  }

  async execute<Row>(query: Query): Promise<Row[]> {
    if (this.pendingBegin !== undefined && isSimpleQuery(query)) await this.#sendBegin();
    const sentAt = performance.now();
    try {
      const rows = new Promise<Row[]>((resolve, reject) => {
        this.client.query(new Statement(this, query, resolve, reject));
      });
      return await recordStatement(query.text, rows);
    } catch (error) {
      // The stack of the caller instead of the socket's.
      Error.captureStackTrace(error as Error);
      throw error;
    } finally {
      statementSeconds.observe((performance.now() - sentAt) / 1_000);
    }
  }

  /** The driver's own query, with its column types. */
  async rawQuery(text: string, values: unknown[] | undefined): Promise<pg.QueryResult> {
    if (this.pendingBegin !== undefined) await this.#sendBegin();
    this.pendingTimeoutMs = undefined;
    this.pendingActor = undefined;
    this.startedAt = performance.now();
    try {
      return await recordStatement(text, this.client.query({ text, values }));
    } catch (error) {
      // A transaction that the text itself begins is left open where a statement of it fails.
      if (/^\s*begin\b/i.test(text)) this.broken ??= error as Error;
      throw error;
    } finally {
      this.startedAt = undefined;
    }
  }

  async #sendBegin(): Promise<void> {
    const timeoutMs = this.pendingTimeoutMs;
    const texts = [
      this.pendingBegin,
      this.isSharded && this.pooler ? propagateSettings : undefined,
      timeoutMs === undefined ? undefined : `set local statement_timeout = ${timeoutMs}`,
    ].filter((text) => text !== undefined);
    this.pendingBegin = undefined;
    this.pendingTimeoutMs = undefined;
    const actor = this.pendingActor;
    this.pendingActor = undefined;
    // Citus sends the whole text of a setting to the workers.
    for (const text of this.isSharded ? texts : [texts.join('; ')])
      await this.execute({ text, values: [] });
    if (actor === undefined) return;
    await this.execute(
      this.isSharded
        ? { text: setLocalActor(actor), values: [] }
        : { ...setActor, values: [actor] },
    );
  }
}
