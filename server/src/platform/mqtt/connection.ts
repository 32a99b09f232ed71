import type { Duplex } from 'node:stream';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { Broker } from './broker-url.ts';
import { unacknowledged } from './mqtt-metrics.ts';
import { dropPublishProperties } from './publish-properties.ts';

/** MQTT 5, or 3.1.1, whose number is 4. */
type ProtocolVersion = 5 | 4;

export type Delivery = {
  topic: string;
  payload: Buffer;
  /** Whether it can still be acknowledged; if not, the broker delivers it again. */
  isOpen(): boolean;
  /** Tells the broker that it need not deliver it again. */
  acknowledge(): void;
};

export type Connection = {
  version: ProtocolVersion;
  /** Whether the broker divides the messages among the processes, instead of giving all to each. */
  isShared: boolean;
  /** Resolves with the reason when the connection is lost or closed. */
  closed: Promise<string>;
  close(): Promise<void>;
};

export type ConnectionOptions = {
  clientId: string;
  /** Whether to share the messages with other sessions, where the broker can. */
  shares: boolean;
  /** Of the sessions that share. */
  group: string;
  topic: string;
  receive: (delivery: Delivery) => void;
};

/** The broker does not speak this version of the protocol, or it closed the connection without a word, as some do then. */
class UnsupportedVersion extends Error {}

// Of what is received and not acknowledged (docs/decisions/0045-mqtt.md).
const maxMessages = 1_000;
const maxBytes = 8 * 1_048_576;
const maxPacketBytes = 5 * 1_048_576;
const keepaliveSeconds = 30;
const sessionExpirySeconds = 7 * 86_400;
const connectTimeoutMs = 10_000;
const endTimeoutMs = 2_000;

/** Continues the session of the client id, or begins it, and subscribes to the topic. */
export async function openConnection(
  broker: Broker,
  options: ConnectionOptions,
): Promise<Connection> {
  try {
    return await openVersion(5, broker, options);
  } catch (error) {
    if (error instanceof UnsupportedVersion) return openVersion(4, broker, options);
    throw error;
  }
}

async function openVersion(
  version: ProtocolVersion,
  broker: Broker,
  options: ConnectionOptions,
): Promise<Connection> {
  const client = await createClient(version, broker, options.clientId);
  let reason = 'the broker closed the connection';
  client.on('error', (error) => {
    reason = error.message || ((error as NodeJS.ErrnoException).code ?? reason);
  });
  client.on('disconnect', ({ reasonCode }) => {
    if (reasonCode === sessionTakenOver) reason = 'another process uses the same client id';
  });
  const closed = new Promise<string>((resolve) => client.once('close', () => resolve(reason)));
  const { hasReceived } = receiveInOrder(client, options.receive);
  try {
    await connected(client, closed);
    keepAlive(client, hasReceived);
    const isShared = await subscribe(client, version, options);
    return { version, isShared, closed, close: () => end(client, closed) };
  } catch (error) {
    await end(client, closed);
    throw error;
  }
}

async function createClient(
  version: ProtocolVersion,
  broker: Broker,
  clientId: string,
): Promise<MqttClient> {
  const mqtt = await import('mqtt');
  const client = mqtt.connect(clientOptions(version, broker, clientId));
  if (version === 5) {
    // The library has no option that filters what it reads.
    const opened = client as unknown as { streamBuilder(of: MqttClient): Duplex };
    const open = opened.streamBuilder;
    opened.streamBuilder = (of) => dropPublishProperties(open(of));
  }
  client.connect();
  return client;
}

const sessionTakenOver = 142;
const unsupportedVersions = [1, 132];

function clientOptions(version: ProtocolVersion, broker: Broker, clientId: string): IClientOptions {
  const { protocol, host, port, path, username, password } = broker;
  const properties = {
    sessionExpiryInterval: sessionExpirySeconds,
    receiveMaximum: maxMessages,
    maximumPacketSize: maxPacketBytes,
  };
  return {
    protocol,
    host,
    port,
    ...(path !== undefined && { path }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    clientId,
    clean: false,
    protocolVersion: version,
    ...(version === 5 && { properties }),
    keepalive: keepaliveSeconds,
    connectTimeout: connectTimeoutMs,
    // What is unacknowledged belongs to one connection, so that each has a client of its own.
    reconnectPeriod: 0,
    manualConnect: true,
    resubscribe: false,
  };
}

async function connected(client: MqttClient, closed: Promise<string>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', (error) => {
      const { code } = error as { code?: unknown };
      const isOlder = unsupportedVersions.includes(code as number);
      reject(isOlder ? new UnsupportedVersion(error.message) : error);
    });
    void closed.then((reason) => reject(new UnsupportedVersion(reason)));
  });
}

/** Returns whether the subscription is shared. */
async function subscribe(
  client: MqttClient,
  version: ProtocolVersion,
  { shares, group, topic }: ConnectionOptions,
): Promise<boolean> {
  const shared = `$share/${group}/${topic}`;
  // A broker of the older version grants what it takes for a topic with an odd name.
  const canShare = version === 5 && client.serverProperties?.sharedSubscriptionAvailable !== false;
  const isShared = shares && canShare && (await isGranted(client, shared));
  if (!isShared && !(await isGranted(client, topic))) {
    throw new Error(`the broker does not allow to subscribe to ${topic}`);
  }
  // From before, the session may have the other one, which would deliver everything twice.
  await client.unsubscribeAsync(isShared ? topic : shared);
  return isShared;
}

async function isGranted(client: MqttClient, topic: string): Promise<boolean> {
  try {
    const [granted] = await client.subscribeAsync(topic, { qos: 1 });
    return granted !== undefined && granted.qos < 128;
  } catch (error) {
    if (!client.connected) throw error;
    return false;
  }
}

type Received = { bytes: number; acknowledge: () => void; isDone: boolean };

/**
 * The library takes a connection for lost whose answer to a ping is not read in time, and it is read behind all that the broker
 * has sent before it: while messages come, or wait to be read, the connection is alive.
 */
function keepAlive(client: MqttClient, hasReceived: () => boolean): void {
  const ping = () => {
    if (!hasReceived()) return;
    client.sendPing();
    client.reschedulePing(true);
  };
  const pings = setInterval(ping, (client.keepalive * 1_000) / 2);
  client.once('close', () => clearInterval(pings));
}

/**
 * Hands on what arrives, without waiting for the acknowledgement of the one before; acknowledges in the order of
 * arrival, as the protocol demands, and stops reading while too much is unacknowledged. Tells whether anything has come since it was
 * last asked, or waits.
 */
function receiveInOrder(
  client: MqttClient,
  receive: (delivery: Delivery) => void,
): { hasReceived(): boolean } {
  const inOrder: Received[] = [];
  let bytes = 0;
  let isAlive = false;
  let readOn: (() => void) | undefined;
  const isFull = () => inOrder.length >= maxMessages || bytes >= maxBytes;

  const remove = (one: Received) => {
    bytes -= one.bytes;
    unacknowledged.dec();
  };
  client.once('close', () => {
    for (const one of inOrder) remove(one);
    inOrder.length = 0;
    // What was read before belongs to the next connection, too.
    readOn = undefined;
  });
  const acknowledgeDone = () => {
    for (let first = inOrder[0]; first?.isDone; first = inOrder[0]) {
      inOrder.shift();
      remove(first);
      first.acknowledge();
    }
    if (readOn && !isFull()) {
      const next = readOn;
      readOn = undefined;
      next();
    }
  };

  client.handleMessage = ({ topic, payload, qos }: IPublishPacket, done) => {
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const one: Received = {
      bytes: body.length,
      // Called again, and without an error, the library sends the acknowledgement.
      acknowledge: () => void (qos > 0 && client.connected && done()),
      isDone: false,
    };
    inOrder.push(one);
    bytes += one.bytes;
    isAlive = true;
    unacknowledged.inc();
    receive({
      topic,
      payload: body,
      isOpen: () => client.connected,
      acknowledge() {
        one.isDone = true;
        acknowledgeDone();
      },
    });
    // With an error, the library reads the next packet and does not acknowledge this one.
    const next = () => done(notYet);
    if (isFull()) readOn = next;
    else next();
  };
  return {
    hasReceived() {
      const was = isAlive || readOn !== undefined;
      isAlive = false;
      return was;
    },
  };
}

const notYet = new Error('is acknowledged when it is stored');

/** Takes leave of the broker, where it still listens. */
async function end(client: MqttClient, closed: Promise<string>): Promise<void> {
  client.end(!client.connected);
  const deadline = setTimeout(() => client.stream.destroy(), endTimeoutMs);
  await closed;
  clearTimeout(deadline);
}
