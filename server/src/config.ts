import type { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseBlobUrl } from './platform/blobs/open-blob-store.ts';
import { parseServers } from './platform/db/servers.ts';
import type { AllowedOrigins } from './platform/http/cors.ts';
import { isNetwork, networkList } from './platform/http/networks.ts';
import { type Role, roles } from './platform/http/principal.ts';
import { isSecureAddress } from './platform/http/secure-address.ts';
import { parseTrustProxy } from './platform/http/trust-proxy.ts';
import { parseBrokerUrl } from './platform/mqtt/broker-url.ts';
import { parseSecretKeys } from './platform/secrets/secret-keys.ts';
import { UserError } from './platform/user-error.ts';

type Setting<Value> = {
  /** As text, which the documentation shows. */
  default: string;
  description: string;
  parse(text: string): Value;
};

/** Every setting: its name, default, description and parser. */
const settings = {
  HOST: setting('127.0.0.1', 'Address to listen on.', text),
  PORT: setting('8080', 'Port to listen on; 0 takes a free one.', integer(0, 65_535)),
  PUBLIC_URL: setting(
    '',
    'Address under which clients reach the service, without a path; tokens carry it as their issuer. `http://HOST:PORT` when empty.',
    optional(origin),
  ),
  DATA_DIR: setting('.motorpool', 'Folder of the embedded PostgreSQL and of uploaded files.', text),
  DATABASE_URL: setting(
    '',
    'A PostgreSQL 15 or newer to use instead of the embedded one, such as `postgres://user:password@host/database`; of several hosts with `target_session_attrs=read-write`, the one that takes writes.',
    optional(postgresUrl),
  ),
  DATABASE_OWNER_URL: setting(
    '',
    'The same database with the role that owns its schema: it migrates and keeps partitions, and grants the role of `DATABASE_URL` to read and write rows, no more. When empty, the role of `DATABASE_URL` does both, and nothing is append-only for it.',
    optional(postgresUrl),
  ),
  DATABASE_READ_URL: setting(
    '',
    'A standby of the database that searches, lists, histories and reports read, with the role of `DATABASE_URL`, while it is up to date (see [Growth](growth.md#read-replicas)). Not for a database that is distributed over workers. The database itself when empty.',
    optional(oneServer),
  ),
  SECRETS_KEY: setting(
    '',
    'Key under which the private keys of realms and other secrets lie in the database: 32 bytes in base64 or hexadecimal. Several, separated by commas: the first seals, the others open what is sealed under them. The file `secrets.key` of `DATA_DIR` when empty, made by the first start.',
    optional(parseSecretKeys),
  ),
  DATABASE_POOL_SIZE: setting(
    '10',
    'Connections that a process holds to the database at most. The requests of one asset provider use half of them at most, its searches a quarter, and its batches of messages a quarter. Its jobs and its messages by MQTT have a quarter each beside that.',
    integer(1, 1_000),
  ),
  STATEMENT_TIMEOUT_MS: setting(
    '15000',
    'Longest time in milliseconds that one statement may take in the database before the request is answered with 503.',
    integer(100, 3_600_000),
  ),
  BLOB_URL: setting(
    '',
    'Where uploaded files are kept: a folder such as `file:///var/lib/motorpool/blobs`, or a bucket such as `s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1` (`endpoint` for an S3 other than Amazon’s; credentials are found where the AWS SDK looks for them). The folder `blobs` of `DATA_DIR` when empty.',
    optional(parseBlobUrl),
  ),
  UPLOAD_LIMIT_BYTES: setting(
    '52428800',
    'Largest file in bytes that can be uploaded; a larger one is answered with 413.',
    integer(1, 50_000_000_000),
  ),
  HISTORY_DAYS: setting(
    '1100',
    'How many days the history of odometer, level and position is kept, in whole months; an older message is refused.',
    integer(1, 36_500),
  ),
  AUDIT_RETENTION_DAYS: setting(
    '730',
    'How many days the audit trail is kept, in whole months.',
    integer(1, 36_500),
  ),
  WEBHOOK_NETWORKS: setting(
    '',
    'Addresses and networks that webhooks may reach although they are not public, also without encryption, separated by commas, such as `10.20.0.0/16`. None when empty; in the demo, this machine.',
    networks,
  ),
  EVENTS_RETENTION_DAYS: setting('7', 'How many days events can be read again.', integer(1, 3_650)),
  CHARGING_GAP_MINUTES: setting(
    '15',
    'A pause or a silence of a charging vehicle that is shorter than this, in minutes, does not end its charging session.',
    integer(1, 1_440),
  ),
  WORKER: setting(
    'true',
    'Whether the service also does the jobs (estimates, plans, upkeep); `false` where `motorpool worker` does them.',
    boolean,
  ),
  PROCESSES: setting(
    '1',
    'Processes that `motorpool serve` runs on its port, up to 256, or `auto` for one a core (see [Growth](growth.md#many-processes)).',
    processes,
  ),
  MQTT_URL: setting(
    '',
    'The MQTT broker that boxes send their messages to, such as `mqtts://user:password@broker.example.com`, or `mqtt:`, `ws:`, `wss:`. Whichever process does the jobs subscribes to it.',
    optional(parseBrokerUrl),
  ),
  MQTT_CLIENT_ID: setting(
    'motorpool',
    'Begins the client ids of the sessions at the MQTT broker, which end with a secret, and names the group that shares the messages: one for all processes on a database, another for each database.',
    clientId,
  ),
  AUTH_ISSUER: setting(
    '',
    'Trust an external authorization server, such as a Keycloak, instead of the built-in one: the issuer of a realm, with `{realm}` in the place of its name, such as `https://id.example.com/realms/{realm}`.',
    optional(issuerTemplate),
  ),
  AUTH_AUDIENCE: setting(
    '',
    'Who the tokens of `AUTH_ISSUER` must be for, and required with it: names separated by commas, one of which a token has as its audience (`aud`) or as the client that it was issued to (`azp`).',
    optional(names),
  ),
  AUTH_DEFAULT_ROLE: setting(
    'editor',
    'Role of a token that carries none in `realm_access.roles`: `databox`, `viewer`, `editor`, `admin`, or `none` to refuse it.',
    optionalRole,
  ),
  CORS_ORIGINS: setting(
    '',
    'Origins whose pages may use the interface and read `/openapi.json`, separated by commas, such as `https://app.example.com`, or `*` for all. The authorization server allows the origins of registered redirect URIs by itself.',
    corsOrigins,
  ),
  MAP_STYLE_URL: setting(
    '',
    'Address of a MapLibre style for the maps of the console, such as one with streets, instead of the coasts and borders that it brings. Browsers load the style, its tiles, glyphs and sprites from its origin, which the Content-Security-Policy then allows, and from no other; whoever opens the console can read the address.',
    optional(styleUrl),
  ),
  MAP_TILES: setting(
    '',
    'A `.pmtiles` file of the machine for the maps of the console, which is served at `/console/map.pmtiles` by ranges: pictures, or vector tiles with the layers of a Protomaps base map. Not used where `MAP_STYLE_URL` is set.',
    optional(text),
  ),
  METRICS_PORT: setting(
    '',
    'Port of their own for the metrics, which the other port then does not serve; 0 takes a free one. `motorpool worker` serves its metrics and `/health` there. `/metrics` of `PORT` when empty.',
    optional(integer(0, 65_535)),
  ),
  METRICS_HOST: setting('127.0.0.1', 'Address to listen on for `METRICS_PORT`.', text),
  TRUST_PROXY: setting(
    'false',
    'Which reverse proxies in front may say in `X-Forwarded-For` who is calling: `false` for none, their number, such as `1`, where clients cannot reach the service past them, or their addresses and networks, such as `10.0.0.0/8,fd00::/8`.',
    parseTrustProxy,
  ),
  LIMIT_CLIENT_RATE: setting(
    '500',
    'Requests that a client, or a person who uses one, may send a second; more are answered with 429. 0 for no limit, as in the demo.',
    integer(0, 1_000_000),
  ),
  LIMIT_CLIENT_CONCURRENCY: setting(
    '50',
    'Requests of a client, or of a person who uses one, that may be in flight at a time; 0 for no limit, as in the demo.',
    integer(0, 1_000_000),
  ),
  LIMIT_PROVIDER_RATE: setting(
    '1000',
    'Requests that all clients of an asset provider together may send a second; 0 for no limit, as in the demo.',
    integer(0, 1_000_000),
  ),
  LIMIT_PROVIDER_CONCURRENCY: setting(
    '100',
    'Requests of all clients of an asset provider that may be in flight at a time; 0 for no limit, as in the demo.',
    integer(0, 1_000_000),
  ),
  LOG_LEVEL: setting(
    'info',
    'How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. The demo logs from `warn` on.',
    oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    '15000',
    'How long in milliseconds a stop may take; requests in flight have two thirds of it.',
    integer(1_000, 600_000),
  ),
  SHUTDOWN_DELAY_MS: setting(
    '0',
    'How long in milliseconds a stopping service still serves, while `/health/ready` answers 503: the time in which a load balancer notices.',
    integer(0, 600_000),
  ),
};

type Settings = typeof settings;
export type Config = { [Name in keyof Settings]: ReturnType<Settings[Name]['parse']> };

/** Parses the settings of the environment; an empty variable counts as not set. */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  defaults: Partial<Record<keyof Config, string>> = {},
): Config {
  const config: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries(settings)) {
    const value = env[name] || defaults[name as keyof Config] || fallback;
    try {
      config[name] = parse(value);
    } catch (error) {
      throw new UserError(`${name}: ${(error as Error).message}`);
    }
  }
  return requireAudience(config as Config);
}

/** Without one, a token that was meant for any other application of the issuer would open the interface. */
function requireAudience(config: Config): Config {
  if (config.AUTH_ISSUER === undefined || config.AUTH_AUDIENCE !== undefined) return config;
  throw new UserError(
    'AUTH_AUDIENCE: must say who the tokens of AUTH_ISSUER are for, such as fleet-interface.',
  );
}

/** For the documentation. */
export function listSettings(): { name: string; default: string; description: string }[] {
  return Object.entries(settings).map(([name, { default: fallback, description }]) => ({
    name,
    default: fallback,
    description,
  }));
}

function setting<Value>(
  fallback: string,
  description: string,
  parse: (text: string) => Value,
): Setting<Value> {
  return { default: fallback, description, parse };
}

function text(value: string): string {
  return value;
}

function optional<Value>(parse: (text: string) => Value) {
  return (value: string): Value | undefined => (value === '' ? undefined : parse(value));
}

function integer(minimum: number, maximum: number) {
  return (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}, not "${value}".`);
    }
    return number;
  };
}

function processes(value: string): number {
  if (value === 'auto') return availableParallelism();
  return integer(1, 256)(value);
}

function boolean(value: string): boolean {
  if (!['true', 'false'].includes(value)) throw new Error(`must be true or false, not "${value}".`);
  return value === 'true';
}

function oneOf(allowed: string[]) {
  return (value: string): string => {
    if (!allowed.includes(value))
      throw new Error(`must be one of ${allowed.join(', ')}, not "${value}".`);
    return value;
  };
}

function optionalRole(value: string): Role | undefined {
  oneOf(['none', ...roles])(value);
  return roles.find((role) => role === value);
}

function origin(value: string): string {
  const url = parseOpenUrl(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error(
      `must be an address such as https://fleet.example.com, without a path, not "${value}".`,
    );
  }
  return url.origin;
}

/** An address for which nobody signs in. The message does not repeat a value with a password. */
function parseOpenUrl(value: string): URL | null {
  const url = URL.parse(value);
  if (url?.username || url?.password)
    throw new Error('must not contain a user name or a password.');
  return url;
}

function corsOrigins(value: string): AllowedOrigins {
  if (value === '*') return '*';
  return value === '' ? [] : names(value).map(origin);
}

function postgresUrl(value: string): string {
  parseServers(value);
  return value;
}

/** A position of the log that one server has reached says nothing of another. */
function oneServer(value: string): string {
  if (parseServers(value).urls.length === 1) return value;
  throw new Error('must name one server.');
}

function clientId(value: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(value)) return value;
  throw new Error(`must have 1 to 64 letters, digits, - or _, not "${value}".`);
}

function styleUrl(value: string): string {
  const url = parseOpenUrl(value);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error(
      `must be an address such as https://maps.example.com/style.json, not "${value}".`,
    );
  return url.href;
}

function issuerTemplate(value: string): string {
  const url = parseOpenUrl(value);
  if (value.split('{realm}').length !== 2 || !url || !/^https?:$/.test(url.protocol)) {
    throw new Error(`must be an address with {realm} in it once, not "${value}".`);
  }
  if (url.search || url.hash) {
    throw new Error(`must be an address without a query and a fragment, not "${value}".`);
  }
  if (!isSecureAddress(value)) {
    throw new Error(`must be https, or http to this machine, not "${value}".`);
  }
  return value.replace(/\/$/, '');
}

function networks(value: string): BlockList {
  const list = value === '' ? [] : names(value);
  const wrong = list.find((one) => !isNetwork(one));
  if (wrong !== undefined)
    throw new Error(`must be addresses and networks such as 10.0.0.0/8, not "${wrong}".`);
  return networkList(list);
}

function names(value: string): string[] {
  const list = value.split(',').map((name) => name.trim());
  if (list.includes('')) throw new Error(`must be names separated by commas, not "${value}".`);
  return list;
}
