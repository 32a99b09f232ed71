import dgram from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';

/** Loaded first by every thread of an isolated process: nothing is downloaded, and nothing sent anywhere. */
function refuse(): never {
  throw new Error('An isolated process has no network.');
}

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
