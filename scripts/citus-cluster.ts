import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCitusCluster, stopCitusCluster } from '../server/src/testing/citus-cluster.ts';

/** Starts or stops a coordinator and two workers of Citus on this machine, for development: docs/growth.md. */

const [command, folder = join(tmpdir(), 'motorpool-citus'), port = '9700'] = process.argv.slice(2);
if (command === 'start') {
  const { url } = await startCitusCluster(folder, Number(port));
  process.stdout.write(`TEST_CITUS_URL=${url}\n`);
} else if (command === 'stop') {
  stopCitusCluster(folder);
} else {
  process.stderr.write(
    'usage: node scripts/citus-cluster.ts start|stop [folder] [port of the coordinator]\n',
  );
  process.exitCode = 2;
}
