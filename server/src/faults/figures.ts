import { type TaskMeta, TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    fault?: string;
    figure?: string;
  }
}

type Task = { meta: TaskMeta };

/** What a test of a fault measured: its line of the run, and its row in docs/reliability.md. Concurrent tests name their task. */
export function recordFigure(
  fault: string,
  figure: string,
  task: Task | undefined = TestRunner.getCurrentTest(),
): void {
  if (task) Object.assign(task.meta, { fault, figure });
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
export const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MiB`;
