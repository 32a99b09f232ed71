import { Command } from 'commander';
import { addClient, removeClient } from '../auth/clients.ts';
import { providerId, requireProvider } from '../auth/providers.ts';
import { type Config, loadConfig } from '../config.ts';
import { UserError } from '../platform/user-error.ts';
import type { Progress, Summary } from '../simulator/run-simulation.ts';
import { readInteger, readNumber } from './arguments.ts';
import { Interrupted, listenForInterruption } from './interruption.ts';
import { openFor } from './with-database.ts';

type Options = { vehicles: number; speed: number; hours?: number; url?: string };

export function simulateCommand(): Command {
  return new Command('simulate')
    .description(
      'drive vehicles around and send their telemetry to a running service, as a client that is made in its database for the run',
    )
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .option(
      '--vehicles <N>',
      'how many vehicles at most',
      readInteger('--vehicles', 1, 100_000),
      50,
    )
    .option(
      '--speed <X>',
      'how many times faster than real time; above 1 it begins in the past and runs up to now',
      readNumber('--speed', 1, 1_000_000),
      1,
    )
    .option(
      '--hours <H>',
      'how long in simulated hours; without an end when left out, and a fast one begins 24 hours back',
      readNumber('--hours', 0.01, 24 * 365),
    )
    .option('--url <URL>', 'where the service is; where HOST and PORT say when left out', readUrl)
    .action(async (countryCode: string, code: string, options: Options) => {
      const config = loadConfig(process.env);
      const provider = providerId(countryCode, code);
      if (config.AUTH_ISSUER !== undefined) {
        throw new UserError(
          'AUTH_ISSUER: the simulator makes a client of its own for the run, which an external authorization server does not know.',
        );
      }
      const { signal, release } = listenForInterruption();
      try {
        const summary = await simulate(config, { provider, countryCode, code }, options, signal);
        process.stdout.write(told(summary));
        // Without an end, to be interrupted is how it ends.
        if (signal.aborted && options.hours !== undefined) throw new Interrupted();
      } finally {
        release();
      }
    });
}

type Whose = { provider: string; countryCode: string; code: string };

async function simulate(
  config: Config,
  { provider, countryCode, code }: Whose,
  options: Options,
  signal: AbortSignal,
): Promise<Summary> {
  // With the schemas they bring half of the program, which the other commands do without.
  const { fleetClient, requireService } = await import('../simulator/fleet-client.ts');
  const { createSimulation } = await import('../simulator/run-simulation.ts');
  const { clockFrom } = await import('../simulator/clock.ts');
  const url = options.url ?? urlOf(config);
  await requireService(url);
  const db = await openFor(config, 'command');
  try {
    await requireProvider(db, provider);
    const { id, secret = '' } = await addClient(db, provider, { name: 'simulator' });
    const progress = progressLine();
    try {
      const access = { url, countryCode, code, clientId: id, clientSecret: secret };
      const client = fleetClient(access, signal);
      const vehicles = await client.vehicles(options.vehicles);
      if (vehicles.length === 0) {
        throw new UserError(`The asset provider ${provider} has no vehicle in service.`);
      }
      const clock = clockFrom(Date.now(), options);
      const seed = new Date(clock.start).toISOString();
      const { show } = progress;
      const simulation = createSimulation(client, vehicles, {
        clock,
        seed,
        signal,
        onProgress: show,
      });
      await simulation.run().catch((error) => {
        if (!signal.aborted) throw error;
      });
      return simulation.summary();
    } finally {
      progress.end();
      await removeClient(db, provider, id);
    }
  } finally {
    await db.close();
  }
}

function urlOf({ PUBLIC_URL, HOST, PORT }: Config): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return PUBLIC_URL ?? `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

function readUrl(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`--url: "${value}" is not an address such as http://127.0.0.1:8080.`);
  }
  return url.origin;
}

const lineEveryMs = 10_000;

/** Rewritten in place on a terminal, now and then a line elsewhere. */
function progressLine() {
  const terminal = process.stderr;
  let next = Date.now() + lineEveryMs;
  let isShown = false;
  return {
    show(progress: Progress): void {
      if (terminal.isTTY) {
        terminal.write(`\r\x1b[K${line(progress)}`);
        isShown = true;
      } else if (Date.now() >= next) {
        terminal.write(`${line(progress)}\n`);
        next = Date.now() + lineEveryMs;
      }
    },
    end(): void {
      if (isShown) terminal.write('\n');
    },
  };
}

function line({ time, doing, messages, counts }: Progress): string {
  const { driving, charging, parked } = doing;
  return (
    `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}  ` +
    `${driving} driving, ${charging} charging, ${parked} parked  ` +
    `${number(messages)} messages: ${kinds(counts)}`
  );
}

function told(summary: Summary): string {
  return (
    `${number(summary.vehicles)} vehicles until ${new Date(summary.time).toISOString()}: ` +
    `${number(summary.drivenKm)} km driven, ${number(summary.chargedKwh)} kWh charged, ` +
    `${number(summary.sessionsBegun)} charging sessions begun and ${number(summary.sessionsEnded)} ended.\n` +
    `${number(summary.messages)} messages: ${kinds(summary.counts)}.\n`
  );
}

function kinds(counts: Progress['counts']): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${number(count)} ${kind}`)
    .join(', ');
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}
