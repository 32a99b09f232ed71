import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import type { demoCredentials } from '../demo/seed.ts';

export function demoCommand(): Command {
  return new Command('demo')
    .description('serve a demo fleet; created on the first start')
    .option('--no-simulation', 'let the vehicles stand still')
    .action(async ({ simulation }: { simulation: boolean }) => {
      const config = loadConfig(process.env, {
        LOG_LEVEL: 'warn',
        WEBHOOK_NETWORKS: '127.0.0.0/8,::1',
        LIMIT_CLIENT_RATE: '0',
        LIMIT_CLIENT_CONCURRENCY: '0',
        LIMIT_PROVIDER_RATE: '0',
        LIMIT_PROVIDER_CONCURRENCY: '0',
      });
      // Imported on demand: most commands do not need the service.
      const { runService } = await import('./run-service.ts');
      const { createLogger, fleetSettings } = await import('../service.ts');
      const { runInBackground } = await import('../simulator/run-in-background.ts');
      const { demoCredentials, seedDemo } = await import('../demo/seed.ts');
      const { openBlobStore } = await import('../platform/blobs/open-blob-store.ts');
      // An external authorization server does not know the demo client.
      const simulates = simulation && config.AUTH_ISSUER === undefined;
      const { url, port } = await runService(config, {
        allowDemoCredentials: true,
        prepare: async (db) => {
          const blobs = await openBlobStore(config.BLOB_URL, config.DATA_DIR);
          await seedDemo(db, db.owner, blobs, fleetSettings(config));
        },
        ...(simulates && {
          background: ({ localUrl }, signal) =>
            runInBackground(
              { url: localUrl, countryCode: 'DE', code: 'ABC', ...demoCredentials },
              simulatedVehicles,
              createLogger(config.LOG_LEVEL),
              signal,
            ),
        }),
      });
      process.stdout.write(welcome(url, demoCredentials, simulates));
      if (!['127.0.0.1', '::1', 'localhost'].includes(config.HOST)) {
        process.stderr.write(
          `Warning: HOST is ${config.HOST}. Anyone who reaches port ${port} can sign in with the demo credentials.\n`,
        );
      }
    });
}

const simulatedVehicles = 40;

function welcome(url: string, credentials: typeof demoCredentials, simulates: boolean): string {
  const { clientId, clientSecret, username, password } = credentials;
  const activity = simulates
    ? `${simulatedVehicles} vehicles of DE/ABC drive, park and charge as you watch; --no-simulation lets them rest`
    : 'none: all vehicles rest';
  const vehicles = `${url}/api/fleets/v1/DE/ABC/vehicles`;
  const post = `curl -s -X POST ${vehicles} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  return `
Motorpool runs at ${url}

  Reference   ${url}/docs?realm=DE-ABC
  OpenAPI     ${url}/openapi.json
  Providers   DE/ABC (260 vehicles), FR/XYZ (20 vehicles)
  Life        ${activity}
  Client      ${clientId} / ${clientSecret}
  User        ${username} / ${password}

Get a token, a page of vehicles, and an honest error:

TOKEN=$(curl -s ${url}/realms/DE-ABC/protocol/openid-connect/token -d grant_type=client_credentials -d client_id=${clientId} -d client_secret=${clientSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'); echo "$TOKEN"
${post} -d '{"searchText":"golf","sorting":[{"field":"status.odometer","direction":"desc"}],"pagination":{"pageSize":2}}'
${post} -d '{"filters":[{"field":"odometer","operator":"gte","value":"many"}]}'

Ctrl-C stops it; the data stays in the data folder.
`;
}
