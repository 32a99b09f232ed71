import { ActionIcon, Group, Select, Text } from '@mantine/core';
import { Icon } from '../icons/icon.tsx';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import classes from './pager.module.css';
import { pageSizes } from './table-search.ts';

type Props = {
  page: number;
  size: number;
  total: number;
  onPage(page: number): void;
  /** Without it, the size is fixed. */
  onSize?(size: number): void;
};

export function Pager({ page, size, total, onPage, onSize }: Props) {
  const { table } = useTexts();
  const formats = useFormats();
  const first = total === 0 ? 0 : page * size + 1;
  const last = Math.min(total, (page + 1) * size);
  return (
    <nav className={classes.pager} aria-label={table.pages}>
      <Text size="xs" c="dimmed">
        {table.range(formats.number(first), formats.number(last), formats.number(total))}
      </Text>
      <Group gap={4}>
        {onSize && (
          <Select
            aria-label={table.pageSize}
            data={pageSizes.map((one) => ({ value: String(one), label: table.perPage(one) }))}
            value={String(size)}
            onChange={(value) => value && onSize(Number(value))}
            allowDeselect={false}
            w={128}
          />
        )}
        <ActionIcon
          aria-label={table.previous}
          disabled={page === 0}
          onClick={() => onPage(page - 1)}
        >
          <Icon name="chevron-left" />
        </ActionIcon>
        <ActionIcon
          aria-label={table.next}
          disabled={last >= total}
          onClick={() => onPage(page + 1)}
        >
          <Icon name="chevron-right" />
        </ActionIcon>
      </Group>
    </nav>
  );
}
