import { constants, getPriority, setPriority } from 'node:os';

/** Puts a child process behind this one at the processor. */
export function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
  } catch {
    // It has ended already, which its exit tells.
  }
}
