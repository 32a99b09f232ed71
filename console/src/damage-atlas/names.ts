import type { DamagePosition, IncidentDamage } from '@motorpool/client';
import type { Label, ViewName } from './view.ts';

/** Every word of the atlas in one language. */
export type AtlasNames = {
  title: string;
  views: Record<ViewName, string>;
  labels: Record<Label['text'], string>;
  severities: Record<IncidentDamage['severity'], string>;
  repaired: string;
  damageCount: (count: number) => string;
  positions: Record<DamagePosition, string>;
};
