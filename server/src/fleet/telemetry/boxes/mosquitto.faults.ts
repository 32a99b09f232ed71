import { describe } from 'vitest';
import { testReceipt, testTakeover, withPairedBoxes } from '../../../testing/mqtt-scenarios.ts';
import { hasMosquitto, startMosquitto } from '../../../testing/start-broker.ts';

withPairedBoxes();

describe.runIf(hasMosquitto)('with Mosquitto, MQTT 5,', () => {
  testReceipt(startMosquitto);
  testTakeover(startMosquitto);
});
