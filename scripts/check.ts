import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import manifest from '../package.json' with { type: 'json' };

/** Runs the scripts check:… of package.json at the same time, prints what each has to say when it ends, and fails when one does. */

const steps = Object.entries(manifest.scripts).filter(([name]) => name.startsWith('check:'));

await Promise.all(
  steps.map(async ([name, command]) => {
    const started = performance.now();
    // By the shell of npm, whose PATH has the programs of the packages.
    const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const output = await text(child.stdout);
    const code = await ended;
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const result = code === 0 ? `passed in ${seconds} s` : `failed (${command})`;
    process.stdout.write(`${name} ${result}\n${code === 0 ? '' : `${output}\n`}`);
    if (code !== 0) process.exitCode = 1;
  }),
);
