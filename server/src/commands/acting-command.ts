import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Actor } from '../platform/db/actor.ts';

let running = '';

export function setRunningCommand(command: Command): void {
  const names: string[] = [];
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name());
  running = names.join(' ');
}

/** Who runs the command, for the audit trail. */
export function commandActor(): Actor {
  return { kind: 'command', username: systemUser(), operation: running };
}

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}
