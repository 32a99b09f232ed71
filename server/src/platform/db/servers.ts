import pg from 'pg';

/** The servers that a URL names, in the form of libpq: postgres://user@host1:5432,host2:5432/database. */
type Servers = {
  urls: readonly string[];
  /** Whether only one that takes writes will do: target_session_attrs=read-write. */
  needsWrites: boolean;
};

/** How to connect; a pool creates its clients of `Client`, where there are several servers. */
export type Connection = pg.ClientConfig & {
  Client?: new () => pg.ClientBase;
  servers?: number;
  /** The server itself, where the address is that of a pooler, which gives each transaction a session of the server. */
  behindPooler?: Connection;
};

const shape = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)([^?#]*)(?:\?([^#]*))?$/;
const attributes = new Map([
  ['any', false],
  ['read-write', true],
  ['primary', true],
]);
/** Of each of several servers. */
const connectTimeoutMs = 5_000;
/** What a process asks its server once when it starts, be both as busy as they like. */
export const startTimeoutMs = 10_000;
/** What the driver knows of TLS: it connects without, in clear, where these are mistyped. */
const tlsParameters = new Map<string, RegExp>([
  ['ssl', /^(true|1|0|no-verify)$/],
  ['sslmode', /^(disable|prefer|require|verify-ca|verify-full|no-verify)$/],
  ['sslnegotiation', /^(postgres|direct)$/],
  ['sslcert', /./],
  ['sslkey', /./],
  ['sslrootcert', /./],
]);

/** Errors do not repeat the value: it may contain a password. */
export function parseServers(url: string): Servers {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new Error('must begin with postgres://.');
  const [, start, hosts = '', path, query] = shape.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const attribute = parameters.get('target_session_attrs') ?? 'any';
  const needsWrites = attributes.get(attribute);
  if (needsWrites === undefined)
    throw new Error('must have a target_session_attrs of any, read-write or primary.');
  parameters.delete('target_session_attrs');
  for (const [name, value] of parameters) {
    if (!/ssl|tls|encrypt/i.test(name) || tlsParameters.get(name)?.test(value)) continue;
    throw new Error(
      tlsParameters.has(name)
        ? `must have a value of ${name} that PostgreSQL's driver for Node knows.`
        : `must have no ${name}: parameters of TLS are ${[...tlsParameters.keys()].join(', ')}.`,
    );
  }
  const rest = parameters.size > 0 ? `?${parameters}` : '';
  const urls = hosts.split(',').map((host) => `${start}${host}${path}${rest}`);
  if (start === undefined || !urls.every((one) => URL.canParse(one)))
    throw new Error('must be an address such as postgres://user:password@host/database.');
  return { urls, needsWrites };
}

/** The connection to the first server that will do; a pool of it looks for another one when that is lost. */
export async function connectionTo(url: string): Promise<Connection> {
  const { urls, needsWrites } = parseServers(url);
  const [only = url] = urls;
  if (urls.length === 1 && !needsWrites) return { connectionString: only };
  const servers = new Candidates(urls, needsWrites);
  const Client = servers.clientClass();
  const errors: unknown[] = [];
  for (let tries = urls.length; tries > 0; tries--) {
    const client = new Client({ connectionTimeoutMillis: connectTimeoutMs });
    client.on('error', () => {});
    try {
      await client.connect();
      return {
        connectionString: client.url,
        Client: Client as unknown as new () => pg.ClientBase,
        servers: urls.length,
      };
    } catch (error) {
      errors.push(error);
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}

/** Knows which of the servers was good last. */
class Candidates {
  readonly #urls: readonly string[];
  readonly #needsWrites: boolean;
  #current = 0;

  constructor(urls: readonly string[], needsWrites: boolean) {
    this.#urls = urls;
    this.#needsWrites = needsWrites;
  }

  get current(): string {
    return this.#urls[this.#current] ?? '';
  }

  /** What several clients find out at once counts once. */
  reject(url: string): void {
    if (url === this.current) this.#current = (this.#current + 1) % this.#urls.length;
  }

  /** A client of the current server, which rejects one that will not do. */
  clientClass() {
    const servers = this;
    const needsWrites = this.#needsWrites;
    return class ServerClient extends pg.Client {
      readonly url: string;
      readonly #parameters = new Map<string, string>();

      constructor(config: pg.ClientConfig) {
        const url = servers.current;
        super({ ...config, connectionString: url });
        this.url = url;
        this.connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
          this.#parameters.set(parameterName, parameterValue),
        );
      }

      override connect(): Promise<this>;
      override connect(done: (error: Error) => void): void;
      override connect(done?: (error: Error) => void): Promise<this> | undefined {
        const connected = this.#connect();
        if (!done) return connected;
        connected.then(() => done(undefined as unknown as Error), done);
        return undefined;
      }

      async #connect(): Promise<this> {
        try {
          await super.connect();
          const isReadOnly = ['in_hot_standby', 'default_transaction_read_only'].some(
            (name) => this.#parameters.get(name) === 'on',
          );
          if (needsWrites && isReadOnly) {
            await this.end();
            throw new Error(`connection terminated: ${this.host}:${this.port} only reads`);
          }
          return this;
        } catch (error) {
          servers.reject(this.url);
          throw error;
        }
      }
    };
  }
}
