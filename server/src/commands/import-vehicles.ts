import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import type { Report } from '../fleet/imports/public.ts';
import { progressBar } from './progress.ts';
import { takeProvider } from './provider-words.ts';
import { withoutControls } from './table.ts';
import { withDatabase } from './with-database.ts';
import { withFleet } from './with-fleet.ts';

type Options = { dryRun?: boolean; skipFaulty?: boolean; json?: boolean };

export function importCommand(): Command {
  const command = new Command('import').description('import data from a file');
  takeProvider(
    command
      .command('vehicles')
      .description(
        'make vehicles from a CSV file, or overwrite the fields that its header names, such as asset.id,information.vin,status.odometer,inspection.vehicleClass; all or nothing. An empty cell clears the value of an existing vehicle, but for asset.active and information.trackGeolocation',
      ),
  )
    .argument('<FILE>', 'CSV in UTF-8, separated by comma, semicolon or tab')
    .option('--dry-run', 'validate and report, without importing')
    .option('--skip-faulty', 'import the valid lines although others are faulty')
    .option('--json', 'print the report as JSON')
    .action(async (countryCode: string, code: string, file: string, options: Options) => {
      // Imported on demand: it loads the schemas, which most commands do not need.
      const { importVehicles, inspectCsv } = await import('../fleet/imports/public.ts');
      const provider = { id: providerId(countryCode, code), countryCode, code };
      const report = await withDatabase(async (db, interruption) => {
        await requireProvider(db, provider.id);
        const csv = await inspectCsv(file);
        const progress = progressBar(csv.size, 'lines');
        return withFleet(db, async ({ dependencies }) => {
          const report = await importVehicles(dependencies, provider, csv, {
            ...options,
            interruption,
            onProgress: progress.show,
          });
          progress.end();
          return report;
        });
      });
      printReport(report, options);
      if (report.faulty > 0) process.exitCode = 1;
    });
  return command;
}

function printReport(report: Report, { json, dryRun }: Options): void {
  if (json) {
    process.stdout.write(`${withoutControls(JSON.stringify(report))}\n`);
    return;
  }
  for (const { line, detail } of report.faults)
    process.stderr.write(`line ${line}: ${withoutControls(detail)}\n`);
  for (const { line, detail } of report.notStored) {
    process.stderr.write(`line ${line}: not stored: ${withoutControls(detail)}\n`);
  }
  const shown = new Set(report.faults.map(({ line }) => line)).size;
  if (shown < report.faulty) {
    process.stderr.write(
      `… the first ${report.faults.length} faults are shown; ${report.faulty} lines are faulty.\n`,
    );
  }
  const outcome = report.written
    ? 'imported'
    : dryRun
      ? 'found in a dry run, nothing kept'
      : 'found, nothing kept because of the faults';
  process.stdout.write(
    `${report.lines} lines: ${report.created} new, ${report.overwritten} overwritten, ${report.faulty} faulty; ${outcome}.\n`,
  );
  printLosses(report);
}

function printLosses({ cleared, positionTrackingDisabled, written }: Report): void {
  const counted = (vehicles: number) => `${vehicles} vehicle${vehicles === 1 ? '' : 's'}`;
  if (cleared.length > 0) {
    const losses = cleared.map(({ column, vehicles }) => `${column} of ${counted(vehicles)}`);
    process.stdout.write(`${written ? 'Cleared' : 'Would be cleared'}: ${losses.join(', ')}.\n`);
  }
  if (positionTrackingDisabled > 0) {
    process.stdout.write(
      `${written ? 'Erased' : 'Would be erased'}: the positions of ${counted(positionTrackingDisabled)}, as information.trackGeolocation becomes false.\n`,
    );
  }
}
