import { runNpm } from './run-npm.ts';

/**
 * Known vulnerabilities of what the service is made of, and the registry's signatures of all packages. A registry that
 * supports neither is said to, and is no failure.
 */

const check = (
  name: string,
  args: string[],
  isReport: (json: object) => boolean,
  found: string,
) => {
  const { status, json } = runNpm('audit', ...args, '--json');
  if (typeof json !== 'object' || json === null || !isReport(json))
    return report(`${name}: not checked, as the registry cannot be asked for them here.`);
  if (status === 0) return report(`${name}: none found.`);
  process.exitCode = 1;
  return report(`${name}: ${found}\n${JSON.stringify(json, null, 2)}`);
};

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}

check(
  'Known vulnerabilities',
  ['--omit=dev'],
  (json) => 'auditReportVersion' in json,
  'update these, or npm audit fix.',
);
check(
  'Invalid or missing signatures',
  ['signatures'],
  (json) => 'invalid' in json,
  'these packages are not what was published.',
);
