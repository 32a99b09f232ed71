import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../icons/icon.tsx';
import type { Texts } from '../texts/texts.ts';

export type RailPage = { to: LinkProps['to']; icon: IconName; name: keyof Texts['pages'] };

/** The pages of the rail, in the order in which it has them. */
export const railPages: readonly RailPage[] = [
  { to: '/', icon: 'layout-dashboard', name: 'overview' },
  { to: '/map', icon: 'map', name: 'map' },
  { to: '/vehicles', icon: 'car', name: 'vehicles' },
  { to: '/incidents', icon: 'triangle-alert', name: 'incidents' },
  { to: '/maintenance', icon: 'wrench', name: 'maintenance' },
  { to: '/invoices', icon: 'receipt-text', name: 'invoices' },
  { to: '/settings', icon: 'settings', name: 'settings' },
];
