import { parseArgs } from 'node:util';
import type { Pace } from './measure.ts';

const parts = [
  'requests',
  'profile',
  'capture',
  'telemetry',
  'import',
  'mixture',
  'sizes',
  'providers',
  'processes',
  'cluster',
] as const;
type Part = (typeof parts)[number];

export type Options = {
  vehicles: number;
  pace: Pace;
  mixtureSeconds: number;
  parts: Set<Part>;
  /** For daily use: without installed peers, and with a check of the floors. */
  quick: boolean;
  /** The folder of the page; printed when undefined. */
  report: string | undefined;
};

const help = `Measures the service against its limits and its peers.

  --vehicles N          vehicles of the one provider (100000; 10000 when quick)
  --seconds S           length of a pass, and of its warm-up (4; 1.5 when quick)
  --passes P            passes, of which the median counts (3; 1 when quick)
  --connections C       connections of the load (32)
  --mixture-seconds S   length of the mixture (300)
  --parts A,B           some of ${parts.join(', ')}; the page is then printed.
                        The cluster is measured where PG_CONFIG names a PostgreSQL that has Citus
  --report FOLDER       where the page is written (docs)
  --quick               requests against the limits alone, and a check of floors
`;

export function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      vehicles: { type: 'string' },
      seconds: { type: 'string' },
      passes: { type: 'string' },
      connections: { type: 'string' },
      'mixture-seconds': { type: 'string' },
      parts: { type: 'string' },
      report: { type: 'string' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return undefined;
  }
  const { quick } = values;
  const number = (name: keyof typeof values, fallback: number, minimum: number) => {
    const value = Number(values[name] ?? fallback);
    if (!(value >= minimum)) throw new Error(`--${name} must be a number from ${minimum} on.`);
    return value;
  };
  const chosen = quick ? ['requests'] : (values.parts?.split(',') ?? [...parts]);
  const unknown = chosen.find((part) => !parts.includes(part as Part));
  if (unknown !== undefined)
    throw new Error(`--parts: "${unknown}" is none of ${parts.join(', ')}.`);
  return {
    // The records of the data set need this many vehicles.
    vehicles: number('vehicles', quick ? 10_000 : 100_000, 500),
    pace: {
      seconds: number('seconds', quick ? 1.5 : 4, 0.5),
      passes: number('passes', quick ? 1 : 3, 1),
      connections: number('connections', 32, 1),
    },
    mixtureSeconds: number('mixture-seconds', 300, 1),
    parts: new Set(chosen as Part[]),
    quick,
    report: values.report ?? (quick || values.parts ? undefined : 'docs'),
  };
}
