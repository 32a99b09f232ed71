import { describe } from 'vitest';
import { testReceipt, testTwoProcesses, withPairedBoxes } from '../../../testing/mqtt-scenarios.ts';
import { hasMosquitto, startAedes, startMosquitto } from '../../../testing/start-broker.ts';

withPairedBoxes();

describe('with aedes, MQTT 3.1.1,', () => {
  testReceipt(startAedes);
  testTwoProcesses(startAedes);
});

// The others are in mqtt.faults.ts.
describe.runIf(hasMosquitto)('with Mosquitto, MQTT 5,', () => {
  testTwoProcesses(startMosquitto);
});
