/** Progress, on stderr; the results are on stdout. */
export function log(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
