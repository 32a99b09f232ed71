import { Button, CloseButton, Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../icons/icon.tsx';
import { useLocalization } from '../texts/texts-provider.tsx';
import { describeFilter } from './describe-filter.ts';
import classes from './filter-bar.module.css';
import { FilterEditor } from './filter-editor.tsx';
import type { FieldFilter, FieldType } from './table-search.ts';

export type FilterField = {
  field: string;
  type: FieldType;
  label: string;
  /** What a choice is made of. */
  options?: readonly { value: string; label: string }[];
};

type Props = {
  fields: readonly FilterField[];
  filters: readonly FieldFilter[];
  onChange(filters: FieldFilter[]): void;
  /** A field for which somebody has asked for a filter elsewhere, such as in the menu of a column. */
  asked?: string | undefined;
  onAnswered?(): void;
};

/** The filters as chips that are edited in place, and a button for another. */
export function FilterBar({ fields, filters, onChange, asked, onAnswered }: Props) {
  const { texts, formats } = useLocalization();
  const { table } = texts;
  const [edited, setEdited] = useState<number>();
  const apply = (index: number, filter: FieldFilter) => {
    onChange(filters.toSpliced(index, 1, filter));
    setEdited(undefined);
    onAnswered?.();
  };
  const describe = (filter: FieldFilter) => describeFilter(filter, fields, table, formats);
  return (
    <>
      {filters.map((filter, index) => (
        <span key={`${filter.field}:${filter.operator}:${filter.value}`} className={classes.chip}>
          <Popover
            opened={edited === index}
            onChange={(isOpen) => setEdited(isOpen ? index : undefined)}
            position="bottom-start"
            trapFocus
            shadow="md"
          >
            <Popover.Target>
              <UnstyledButton className={classes.chipText} onClick={() => setEdited(index)}>
                {describe(filter)}
              </UnstyledButton>
            </Popover.Target>
            <Popover.Dropdown>
              <FilterEditor
                fields={fields}
                initial={filter}
                onApply={(next) => apply(index, next)}
              />
            </Popover.Dropdown>
          </Popover>
          <CloseButton
            size={24}
            iconSize={14}
            aria-label={table.removeFilter(describe(filter))}
            onClick={() => onChange(filters.toSpliced(index, 1))}
          />
        </span>
      ))}
      <Popover
        opened={edited === filters.length || asked !== undefined}
        onChange={(isOpen) => {
          setEdited(isOpen ? filters.length : undefined);
          if (!isOpen) onAnswered?.();
        }}
        position="bottom-start"
        trapFocus
        shadow="md"
      >
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<Icon name="funnel" size={16} />}
            onClick={() => setEdited(filters.length)}
          >
            {table.addFilter}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <FilterEditor
            key={asked}
            fields={fields}
            field={asked}
            onApply={(next) => apply(filters.length, next)}
          />
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
