import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type PageShell = {
  /** Runs a block to its end; later ones have its variables and its folder. */
  run(block: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** Ends it with all that it has started. */
  close(): Promise<void>;
};

/** A bash that is given blocks as a reader pastes them, one after the other. */
export function startShell(cwd: string, env: Record<string, string>, setup = ''): PageShell {
  const shell = spawn('bash', ['--norc'], { cwd, env, stdio: 'pipe', detached: true });
  let [stdout, stderr, ended] = ['', '', false];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const end = once(shell, 'close').then(() => {
    ended = true;
  });
  shell.stdin.on('error', () => {});
  shell.stdin.write(`${setup}\nset -o pipefail\n`);
  const mark = /<block ended: (\d+)>$/;
  return {
    async run(block) {
      [stdout, stderr] = ['', ''];
      // The first failure decides, and a failure of any line is one.
      shell.stdin.write(
        `trap 'failed=\${failed:-$?}' ERR; failed=\n${block}\ntrap - ERR; printf '<block ended: %d>' "\${failed:-0}"\n`,
      );
      while (!mark.test(stdout)) {
        if (ended) throw new Error(`The shell has ended: ${stdout}${stderr}`);
        await sleep(5);
      }
      const code = Number(mark.exec(stdout)?.[1]);
      return { code, stdout: stdout.replace(mark, ''), stderr };
    },
    async close() {
      if (ended || shell.pid === undefined) return;
      process.kill(-shell.pid, 'SIGTERM');
      shell.stdin.destroy();
      await end;
    },
  };
}
