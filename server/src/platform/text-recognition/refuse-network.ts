import { Socket } from 'node:net';

/** Loaded first by every thread of a process that reads documents: nothing is downloaded, and nothing sent anywhere. */
function refuse(): never {
  throw new Error('A document is read without a network.');
}

Socket.prototype.connect = refuse;
globalThis.fetch = async () => refuse();
