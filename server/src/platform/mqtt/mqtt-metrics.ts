import { Counter, Gauge } from 'prom-client';
import { metrics } from '../metrics.ts';

export const messagesByResult = new Counter({
  name: 'motorpool_mqtt_messages_total',
  help: 'Messages that came over MQTT, by their result; the reason of those that were rejected',
  labelNames: ['result', 'reason'],
  registers: [metrics],
});

export const openConnections = new Gauge({
  name: 'motorpool_mqtt_connections',
  help: 'Connections to the MQTT broker that are subscribed; 0 while it cannot be reached',
  registers: [metrics],
});

export const unacknowledged = new Gauge({
  name: 'motorpool_mqtt_unacknowledged',
  help: 'Deliveries of the MQTT broker that are not acknowledged yet',
  registers: [metrics],
});
