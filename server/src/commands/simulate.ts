import { Command } from 'commander';
import { addClient, removeClient } from '../auth/clients.ts';
import { providerId, requireProvider } from '../auth/providers.ts';
import { type Config, loadConfig } from '../config.ts';
import { UserError } from '../platform/user-error.ts';
import type { Progress, Summary } from '../simulator/run-simulation.ts';
import { integerParser, numberParser } from './arguments.ts';
import { Interrupted, listenForInterruption } from './interruption.ts';
import { takeProvider } from './provider-words.ts';
import { serviceUrl } from './service-url.ts';
import { openFor } from './with-database.ts';

type Options = { vehicles: number; speed: number; hours?: number; url?: string };

export function simulateCommand(): Command {
  return takeProvider(
    new Command('simulate').description(
      'drive vehicles around and send their telemetry to a running service, as a client that is made in its database for the run',
    ),
  )
    .option(
      '--vehicles <N>',
      'how many vehicles at most',
      integerParser('--vehicles', 1, 100_000),
      50,
    )
    .option(
      '--speed <X>',
      'how many times faster than real time; above 1 it begins in the past and runs up to now',
      numberParser('--speed', 1, 1_000_000),
      1,
    )
    .option(
      '--hours <H>',
      'how long in simulated hours; without an end when left out, and a fast one begins 24 hours back',
      numberParser('--hours', 0.01, 24 * 365),
    )
    .option('--url <URL>', 'where the service is; where HOST and PORT say when left out', parseUrl)
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
        process.stdout.write(formatSummary(summary));
        // Without --hours, an interruption is the regular end.
        if (signal.aborted && options.hours !== undefined) throw new Interrupted();
      } finally {
        release();
      }
    });
}

type Target = { provider: string; countryCode: string; code: string };

async function simulate(
  config: Config,
  { provider, countryCode, code }: Target,
  options: Options,
  signal: AbortSignal,
): Promise<Summary> {
  // Imported on demand: they load the schemas, which most commands do not need.
  const { fleetClient, requireService } = await import('../simulator/fleet-client.ts');
  const { createSimulation } = await import('../simulator/run-simulation.ts');
  const { clockFrom } = await import('../simulator/clock.ts');
  const url = options.url ?? serviceUrl(config);
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

function parseUrl(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`--url: "${value}" is not an address such as http://127.0.0.1:8080.`);
  }
  return url.origin;
}

const lineIntervalMs = 10_000;

/** Rewrites one line on a terminal; prints a line at intervals elsewhere. */
function progressLine() {
  const terminal = process.stderr;
  let next = Date.now() + lineIntervalMs;
  let isShown = false;
  return {
    show(progress: Progress): void {
      if (terminal.isTTY) {
        terminal.write(`\r\x1b[K${formatProgress(progress)}`);
        isShown = true;
      } else if (Date.now() >= next) {
        terminal.write(`${formatProgress(progress)}\n`);
        next = Date.now() + lineIntervalMs;
      }
    },
    end(): void {
      if (isShown) terminal.write('\n');
    },
  };
}

function formatProgress({ time, activities, messages, counts }: Progress): string {
  const { driving, charging, parked } = activities;
  return (
    `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')}  ` +
    `${driving} driving, ${charging} charging, ${parked} parked  ` +
    `${formatNumber(messages)} messages: ${formatCounts(counts)}`
  );
}

function formatSummary(summary: Summary): string {
  return (
    `${formatNumber(summary.vehicles)} vehicles until ${new Date(summary.time).toISOString()}: ` +
    `${formatNumber(summary.drivenKm)} km driven, ${formatNumber(summary.chargedKwh)} kWh charged, ` +
    `${formatNumber(summary.sessionsBegun)} charging sessions begun and ${formatNumber(summary.sessionsEnded)} ended.\n` +
    `${formatNumber(summary.messages)} messages: ${formatCounts(summary.counts)}.\n`
  );
}

function formatCounts(counts: Progress['counts']): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${formatNumber(count)} ${kind}`)
    .join(', ');
}

function formatNumber(value: number): string {
  return Math.round(value).toLocaleString('en');
}
