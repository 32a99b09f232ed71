/**
 * Writes all lines of a turn of the event loop at once, and what is left when the process ends.
 * Decision 0022: pino's own buffering costs more, and delays or loses lines.
 */
export function batchedLogWriter(write: (text: string) => void): { write(line: string): void } {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') write(text);
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}
