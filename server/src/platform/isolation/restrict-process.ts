import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';
import os from 'node:os';

/** Loaded first by every thread of an isolated process: nothing is downloaded, nothing sent anywhere, and no other process ended. */
function refuse(): never {
  throw new Error('An isolated process has no network, and signals no other.');
}

const kill = process.kill.bind(process);
process.kill = (pid, signal) => (pid === process.pid ? kill(pid, signal) : refuse());
// To have another open its debugger would be the way into it.
for (const name of ['_debugProcess', '_debugEnd']) Object.assign(process, { [name]: refuse });
os.setPriority = refuse;

Socket.prototype.connect = refuse;
Server.prototype.listen = refuse;
globalThis.fetch = async () => refuse();
Object.assign(dgram.Socket.prototype, { bind: refuse, connect: refuse, send: refuse });
for (const names of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(names)) {
    if (/^(lookup|resolve|reverse)/.test(name)) Object.assign(names, { [name]: refuse });
  }
}
syncBuiltinESMExports();
