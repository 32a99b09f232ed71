import { readFileSync } from 'node:fs';

/** Preloaded into the service by a test: shifts its clock by what a file says in milliseconds, from one moment to the next. */

const file = process.env.CLOCK_OFFSET_FILE ?? '';
const RealDate = Date;
let offsetMs = 0;
setInterval(() => {
  offsetMs = Number(readFileSync(file, 'utf8')) || 0;
}, 50).unref();

const now = () => RealDate.now() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
