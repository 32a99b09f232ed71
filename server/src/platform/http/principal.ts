export const roles = ['databox', 'viewer', 'editor', 'admin'] as const;

/** What a client or a person may do: send telemetry; read; read and write all records; administer as well. */
export type Role = (typeof roles)[number];

/** The roles that may do what needs the role of the key. */
const permitted: Record<Role, readonly Role[]> = {
  databox: ['databox', 'editor', 'admin'],
  viewer: ['viewer', 'editor', 'admin'],
  editor: ['editor', 'admin'],
  admin: ['admin'],
};

export function permits(held: readonly Role[], needed: Role): boolean {
  return held.some((role) => permitted[needed].includes(role));
}

/** What two roles both permit, such as those of a person and of the client in between. */
export function commonRole(one: Role, other: Role): Role | undefined {
  if (permits([one], other)) return other;
  return permits([other], one) ? one : undefined;
}

export function rolesPermitting(needed: Role): readonly Role[] {
  return permitted[needed];
}

/** Who a bearer token was issued to. */
export type Principal = {
  provider: string;
  kind: 'client' | 'user';
  clientId: string;
  /** The id of the user, or that of the client. */
  subject: string;
  roles: readonly Role[];
  /** The networks that the token may be used from, with commas in between; undefined for all. */
  networks: string | undefined;
  /** Increases when tokens of the subject are revoked. */
  version: number;
  /** Increases when tokens of the client are revoked. */
  clientVersion: number;
  /** Of the token's grant, or its own; by it, a single token is revoked. */
  tokenId: string;
};

/** By what a client is counted. A person is one, whichever clients they use: there are several that anybody can. */
export function clientKey({ provider, kind, subject }: ClientOf): string {
  return `${provider} ${kind} ${subject}`;
}

export type ClientOf = Pick<Principal, 'provider' | 'kind' | 'subject'>;

/** Of what a provider may have at a time, the part that one client may have: others of the provider have the rest. */
export const shareOfClient = 0.5;

/** Who sent a request, and from where. */
export type Caller = Principal & { address: string; requestId: string };
