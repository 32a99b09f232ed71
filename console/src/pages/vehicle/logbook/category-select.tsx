import { Select } from '@mantine/core';
import type { LogbookEntry } from '@motorpool/client';
import type { IconName } from '../../../icons/icon.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';

export type Category = LogbookEntry['category'];

export const categoryIcons: Record<Category, IconName> = {
  fuel: 'fuel',
  charging: 'zap',
  service: 'wrench',
  repair: 'wrench',
  inspection: 'clipboard-check',
  tyres: 'disc-3',
  cleaning: 'sparkles',
  toll: 'ticket',
  parking: 'square-parking',
  fine: 'flag',
  insurance: 'shield',
  tax: 'landmark',
  accident: 'triangle-alert',
  other: 'file-text',
};

type Props = {
  label: string;
  isLabelHidden?: boolean;
  placeholder?: string;
  value: string | undefined;
  /** Undefined only where nothing may be chosen. */
  onChange(value: Category | undefined): void;
};

export function CategorySelect({ label, isLabelHidden, placeholder, value, onChange }: Props) {
  const { logbookCategories } = useTexts();
  return (
    <Select
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={placeholder}
      data={Object.entries(logbookCategories).map(([key, name]) => ({ value: key, label: name }))}
      value={value ?? null}
      clearable={placeholder !== undefined}
      allowDeselect={placeholder !== undefined}
      onChange={(next) => onChange((next as Category | null) ?? undefined)}
    />
  );
}
