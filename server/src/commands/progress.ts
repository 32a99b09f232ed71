const width = 30;

/** Prints nothing unless stderr is a terminal. */
export function progressBar(total: number, unit: string) {
  const terminal = process.stderr;
  let shown = -1;
  return {
    show(done: number, count: number): void {
      const percent = total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100));
      if (!terminal.isTTY || percent === shown) return;
      shown = percent;
      const filled = Math.round((percent / 100) * width);
      const bar = '#'.repeat(filled).padEnd(width, '.');
      terminal.write(
        `\r[${bar}] ${String(percent).padStart(3)} %  ${count.toLocaleString('en')} ${unit}`,
      );
    },
    end(): void {
      if (terminal.isTTY && shown >= 0) terminal.write('\n');
    },
  };
}
