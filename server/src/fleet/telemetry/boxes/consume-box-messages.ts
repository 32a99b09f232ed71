import { serverSecret } from '../../../auth/secrets.ts';
import type { Broker } from '../../../platform/mqtt/broker-url.ts';
import { type Consumer, startConsumer } from '../../../platform/mqtt/consumer.ts';
import type { KeptOptions } from '../../../platform/mqtt/keep-connected.ts';
import type { Dependencies } from '../../dependencies.ts';
import { boxTopics } from './box-topic.ts';
import { receiveDeliveries } from './receive-deliveries.ts';

/** Receives what boxes send to the MQTT broker, until it is stopped. */
export function consumeBoxMessages(
  dependencies: Dependencies,
  { broker, clientId, log }: { broker: Broker; clientId: string; log: KeptOptions['log'] },
): Consumer {
  const { receive, settle } = receiveDeliveries(dependencies, log);
  const { db } = dependencies;
  return startConsumer({
    broker,
    group: clientId,
    sessionKey: () => serverSecret(db, 'mqtt-sessions'),
    topic: boxTopics,
    db,
    log,
    receive,
    settle,
  });
}
