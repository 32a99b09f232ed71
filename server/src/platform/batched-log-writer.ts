/** Writes the lines of one turn of the event loop with one call, the last at exit: docs/decisions/0022-batched-log-lines.md. */
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
