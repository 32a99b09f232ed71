/** Of lines that the event loop has not come to when the process exits. */
const unwritten = new Set<() => void>();

process.on('exit', () => {
  for (const flush of unwritten) flush();
});

/** Writes the lines of one turn of the event loop with one call, the last at exit: docs/decisions/0022-batched-log-lines.md. */
export function batchedLogWriter(
  write: (text: string) => void,
  maxLength = Number.POSITIVE_INFINITY,
): { write(line: string): void } {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    unwritten.delete(flush);
    if (text !== '') write(text);
  };
  return {
    write(line) {
      if (lines.length + line.length > maxLength) flush();
      if (lines === '') {
        unwritten.add(flush);
        setImmediate(flush);
      }
      lines += line;
    },
  };
}
