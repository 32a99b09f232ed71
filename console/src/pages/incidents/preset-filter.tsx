import { SegmentedControl } from '@mantine/core';
import { useTexts } from '../../texts/texts-provider.tsx';

const presets = {
  all: [],
  open: ['isResolved:eq:false'],
  mustNotDrive: ['isResolved:eq:false', 'vehicleOperable:eq:false'],
} as const;
type Preset = keyof typeof presets;

type Props = { filter: readonly string[]; onChange(filter: string[]): void };

/** The filters that are wanted most; none is chosen while there are others. */
export function PresetFilter({ filter, onChange }: Props) {
  const { presets: texts } = useTexts().incidents;
  const names = Object.keys(presets) as Preset[];
  const key = (filters: readonly string[]) => filters.toSorted().join('\n');
  const chosen = names.find((name) => key(presets[name]) === key(filter));
  return (
    <SegmentedControl
      size="xs"
      aria-label={texts.label}
      data={names.map((value) => ({ value, label: texts[value] }))}
      value={chosen ?? ''}
      onChange={(name) => onChange([...presets[name as Preset]])}
    />
  );
}
