import { Operations } from './generated/operations.ts';
import { clientCredentials, type TokenSource } from './token-source.ts';
import { Transport } from './transport.ts';

export type MotorpoolOptions = {
  /** The address of the service, such as `https://fleet.example.com`. */
  baseUrl: string;
  /** Country code and code of the provider: `DE/ABC`. */
  provider: string;
  /** The address of the authorization server; `baseUrl` when left out. */
  authUrl?: string;
  /** How many times a call is repeated that fails for a moment and may be repeated. */
  retries?: number;
  /** How long a try may take, uploads apart. */
  timeoutMs?: number;
  /** In the place of the global `fetch`. */
  fetch?: typeof fetch;
} & (
  | { clientId: string; clientSecret: string; token?: never }
  | {
      /** Gives the bearer token of each call; for people who are signed in, and other issuers. */
      token: () => string | Promise<string>;
      clientId?: never;
      clientSecret?: never;
    }
);

/**
 * A fleet of one provider.
 *
 * ```ts
 * const fleet = new Motorpool({
 *   baseUrl: 'http://127.0.0.1:8080',
 *   provider: 'DE/ABC',
 *   clientId: 'demo-client',
 *   clientSecret: 'demo-secret',
 * });
 * for await (const vehicle of fleet.vehicles.find()) console.log(vehicle.asset.id);
 * ```
 */
export class Motorpool extends Operations {
  constructor(options: MotorpoolOptions) {
    const { retries = 3, timeoutMs = 30_000, baseUrl } = options;
    const { countryCode, code } = parseProvider(options.provider);
    const send = options.fetch ?? ((input, init) => fetch(input, init));
    const realm = `${trimmed(options.authUrl ?? baseUrl)}/realms/${countryCode}-${code}`;
    const tokens: TokenSource = options.token
      ? { token: async () => options.token(), refuse: () => undefined }
      : clientCredentials({
          fetch: send,
          url: `${realm}/protocol/openid-connect/token`,
          clientId: options.clientId,
          clientSecret: options.clientSecret,
          retries,
          timeoutMs,
        });
    super(
      new Transport({
        fetch: send,
        url: `${trimmed(baseUrl)}/api/fleets/v1/${countryCode}/${code}`,
        tokens,
        retries,
        timeoutMs,
      }),
    );
  }
}

function parseProvider(provider: string): { countryCode: string; code: string } {
  const [, countryCode = '', code = ''] = /^([A-Z]{2})\/([A-Z0-9]{3})$/.exec(provider) ?? [];
  if (!countryCode) throw new TypeError(`provider is "${provider}", and has to be like "DE/ABC"`);
  return { countryCode, code };
}

function trimmed(url: string): string {
  if (!/^https?:\/\//.test(url)) throw new TypeError(`"${url}" is no http or https address`);
  return url.replace(/\/+$/, '');
}
