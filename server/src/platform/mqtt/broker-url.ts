/** Where the MQTT broker is, and how to sign in. */
export type Broker = {
  protocol: 'mqtt' | 'mqtts' | 'ws' | 'wss';
  host: string;
  port: number;
  /** Of a WebSocket. */
  path: string | undefined;
  username: string | undefined;
  password: string | undefined;
};

const ports = { mqtt: 1883, mqtts: 8883, ws: 80, wss: 443 };
const loopback = /^(localhost|127(\.\d+){3}|::1)$/;

/** The messages do not repeat the value: it may contain a password. */
export function parseBrokerUrl(value: string): Broker {
  const protocol = /^(mqtts?|wss?):\/\//.exec(value)?.[1] as Broker['protocol'] | undefined;
  if (!protocol) throw new Error('must begin with mqtts://, mqtt://, wss:// or ws://.');
  const url = URL.parse(value);
  const isSocket = protocol.startsWith('ws');
  const hasPath = url !== null && !['', '/'].includes(url.pathname);
  if (!url?.hostname || url.search || url.hash || (hasPath && !isSocket)) {
    throw new Error('is not an address such as mqtts://user:password@broker.example.com:8883.');
  }
  return {
    protocol,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? ports[protocol] : Number(url.port),
    path: isSocket ? url.pathname : undefined,
    username: decoded(url.username),
    password: decoded(url.password),
  };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have its user name and password percent-encoded.');
  }
}

/** Whether nobody on the way can read what is sent: with TLS, or on this machine. */
export function isPrivate({ protocol, host }: Broker): boolean {
  return protocol === 'mqtts' || protocol === 'wss' || loopback.test(host);
}

/** Without user name and password, for logs. */
export function addressOf({ protocol, host, port }: Broker): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
