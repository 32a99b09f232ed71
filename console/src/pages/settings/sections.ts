import type { IconName } from '../../icons/icon.tsx';
import type { Role } from '../../session/session.ts';
import type { Texts } from '../../texts/texts.ts';

export type SectionName = keyof Texts['settings']['sections'];

type Section = {
  name: SectionName;
  group: keyof Texts['settings']['groups'];
  icon: IconName;
  /** The least that may see it. */
  role: Role;
};

/** In the order in which they are listed. */
export const sections: readonly Section[] = [
  { name: 'profile', group: 'fleet', icon: 'building-2', role: 'viewer' },
  { name: 'schedules', group: 'fleet', icon: 'wrench', role: 'viewer' },
  { name: 'checklists', group: 'fleet', icon: 'clipboard-check', role: 'viewer' },
  { name: 'boxes', group: 'fleet', icon: 'box', role: 'viewer' },
  { name: 'import', group: 'fleet', icon: 'file-up', role: 'editor' },
  { name: 'clients', group: 'access', icon: 'key-round', role: 'admin' },
  { name: 'people', group: 'access', icon: 'users', role: 'admin' },
  { name: 'webhooks', group: 'access', icon: 'webhook', role: 'admin' },
  { name: 'audit', group: 'record', icon: 'history', role: 'admin' },
];
