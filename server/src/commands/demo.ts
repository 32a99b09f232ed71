import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import type { demoCredentials } from '../demo/seed.ts';
import { hasEmbeddedDatabase } from '../platform/db/embedded/embedded-database.ts';
import { createLogger } from '../platform/logger.ts';
import { offsetClock } from '../platform/time/offset-clock.ts';
import { UserError } from '../platform/user-error.ts';

export function demoCommand(): Command {
  return new Command('demo')
    .description('serve a demo fleet; created on the first start')
    .option('--no-simulation', 'let the vehicles stand still')
    .option('--reset', 'make the demo fleet anew, and forget all that was changed')
    .option(
      '--at <time>',
      'a date such as 2027-03-01 from which the time of the fleet runs; tokens and jobs keep real time',
      parseStart,
    )
    .addHelpText('after', faultHelp)
    .action(async ({ simulation, reset, at }: Options) => {
      const config = loadConfig(process.env, {
        LOG_LEVEL: 'warn',
        WEBHOOK_NETWORKS: '127.0.0.0/8,::1',
        LIMIT_CLIENT_RATE: '0',
        LIMIT_CLIENT_CONCURRENCY: '0',
        LIMIT_PROVIDER_RATE: '0',
        LIMIT_PROVIDER_CONCURRENCY: '0',
      });
      if (config.DATABASE_URL === undefined && !hasEmbeddedDatabase(config.DATA_DIR))
        process.stdout.write(
          'The first start makes the database and the demo fleet, which takes about a minute.\n',
        );
      // Imported on demand: most commands do not need the service.
      const { runService } = await import('./run-service.ts');
      const { fleetSettings } = await import('../service.ts');
      const { runInBackground } = await import('../simulator/run-in-background.ts');
      const { demoCredentials, refreshFleets, seedDemo } = await import('../demo/seed.ts');
      const { resetDemo } = await import('../demo/reset.ts');
      const { openBlobStore } = await import('../platform/blobs/open-blob-store.ts');
      // An external authorization server does not know the demo client.
      const simulates = simulation && config.AUTH_ISSUER === undefined;
      const offsetMs = at === undefined ? 0 : at.getTime() - Date.now();
      const clock = offsetClock(offsetMs);
      const { url, port } = await runService(config, {
        allowDemoCredentials: true,
        sandbox: {
          clock,
          // What is there already may be of another time.
          begin: (dependencies) => (at ? refreshFleets(dependencies) : Promise.resolve()),
        },
        prepare: async (db) => {
          const blobs = await openBlobStore(config.BLOB_URL, config.DATA_DIR);
          if (reset) await resetDemo(db, db.owner, blobs);
          await seedDemo(db, db.owner, blobs, fleetSettings(config), clock.now());
        },
        ...(simulates && {
          background: ({ localUrl }, signal) =>
            runInBackground(
              { url: localUrl, countryCode: 'DE', code: 'ABC', ...demoCredentials },
              simulatedVehicles,
              { logger: createLogger(config.LOG_LEVEL), signal, offsetMs },
            ),
        }),
      });
      process.stdout.write(welcome(url, demoCredentials, simulates, at));
      if (!['127.0.0.1', '::1', 'localhost'].includes(config.HOST)) {
        process.stderr.write(
          `Warning: HOST is ${config.HOST}. Anyone who reaches port ${port} can sign in with the demo credentials.\n`,
        );
      }
    });
}

const simulatedVehicles = 40;

type Options = { simulation: boolean; reset?: boolean; at?: Date };

const faultHelp = `
The header "Motorpool-Simulate: status=503, delay=500" of a request makes the demo answer with that error, after so many
milliseconds; either part can be left out.`;

/** A day in UTC, or an instant. */
function parseStart(value: string): Date {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value);
  const date = new Date(value);
  const isReal = !Number.isNaN(date.getTime()) && (!isDay || date.toISOString().startsWith(value));
  const year = isReal ? date.getUTCFullYear() : 0;
  if (year >= 2000 && year < 2100) return date;
  throw new UserError(`--at must be a date from 2000 to 2099 such as 2027-03-01, not "${value}".`);
}

function welcome(
  url: string,
  credentials: typeof demoCredentials,
  simulates: boolean,
  at: Date | undefined,
): string {
  const { clientId, clientSecret, username, password } = credentials;
  const activity = simulates
    ? `${simulatedVehicles} vehicles of DE/ABC drive, park and charge; --no-simulation turns it off`
    : 'off';
  const vehicles = `${url}/api/fleets/v1/DE/ABC/vehicles`;
  const post = `curl -s -X POST ${vehicles} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  return `
Motorpool runs at ${url}

  Console     ${url}/console/DE-ABC
  Reference   ${url}/docs?realm=DE-ABC
  Guides      ${url}/docs/guides/getting-started
  OpenAPI     ${url}/openapi.json
  Providers   DE/ABC (260 vehicles), FR/XYZ (20 vehicles)
  Simulation  ${activity}${at ? `\n  Time        from ${at.toISOString()} on` : ''}
  Client      ${clientId} / ${clientSecret}
  User        ${username} / ${password}

Get a token, a page of vehicles, and an error:

TOKEN=$(curl -s ${url}/realms/DE-ABC/protocol/openid-connect/token -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"
${post} -d '{"searchText":"golf","sorting":[{"field":"status.odometer","direction":"desc"}],"pagination":{"pageSize":2}}'
${post} -d '{"filters":[{"field":"odometer","operator":"gte","value":"many"}]}'

Ctrl-C stops it; the data stays in the data folder.
`;
}
