import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { parseDay } from '../formats/days.ts';
import { DateInput } from '../forms/date-input.tsx';
import { Form } from '../forms/form.tsx';
import { NumberInput } from '../forms/number-input.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { dayIn, momentOf } from './day-moments.ts';
import classes from './filter-bar.module.css';
import type { FilterField } from './filter-bar.tsx';
import {
  type FieldFilter,
  joinList,
  type Operator,
  operatorsOf,
  splitList,
  takesList,
  trimList,
} from './table-search.ts';

type Props = {
  fields: readonly FilterField[];
  initial?: FieldFilter;
  /** The field of a new one. */
  field?: string | undefined;
  onApply(filter: FieldFilter): void;
};

/** A field, how it is compared, and a value in the editor of its type. */
export function FilterEditor({ fields, initial, field: asked = '', onApply }: Props) {
  const { table } = useTexts();
  const [field, setField] = useState(initial?.field ?? asked);
  const { type, options = [] } = fields.find((one) => one.field === field) ?? {};
  const [operator, setOperator] = useState<Operator | undefined>(
    initial?.operator ?? (type && operatorsOf[type][0]),
  );
  const [value, setValue] = useState(initial?.value ?? (type === 'boolean' ? 'true' : ''));
  const isList = operator !== undefined && takesList[operator];
  // A day that was entered; a moment stays as it is until somebody changes its day.
  const isDay = type === 'time' && !value.includes('T') && operator !== 'exists' && !isList;
  // A list that nobody has edited stays as it was stored.
  const entered = isList && value !== initial?.value ? trimList(value) : value;
  const compared = !isDay || !operator ? entered : parseDay(value) && momentOf(value, operator);
  const submit = () => {
    if (type && operator && compared) onApply({ field, operator, value: compared });
  };
  const choose = (next: string) => {
    const nextType = fields.find((one) => one.field === next)?.type ?? 'text';
    setField(next);
    setOperator(operatorsOf[nextType][0]);
    setValue(nextType === 'boolean' ? 'true' : '');
  };
  const changeOperator = (next: Operator) => {
    setOperator(next);
    if (next === 'exists') setValue('true');
    else if (operator === 'exists') setValue(type === 'boolean' ? 'true' : '');
    else if (type === 'time') setValue(dayIn(value));
    else if (takesList[next] && !isList) setValue(joinList([value]));
    else if (isList && !takesList[next]) setValue(splitList(value)[0] ?? '');
  };
  // One of another program stays until another is chosen.
  const offered = type ? [...new Set([...operatorsOf[type], ...(operator ? [operator] : [])])] : [];
  const ValueInput = type === 'date' || type === 'time' ? DateInput : TextInput;
  const inPopover = { withinPortal: false };
  return (
    <Form className={classes.editor} onSubmit={submit}>
      <Select
        label={table.field}
        data={fields.map((one) => ({ value: one.field, label: one.label }))}
        value={field || null}
        onChange={(next) => next && choose(next)}
        searchable
        allowDeselect={false}
        comboboxProps={inPopover}
        data-autofocus
      />
      {type && operator && (
        <>
          <Select
            label={table.comparison}
            data={offered.map((one) => ({ value: one, label: table.operators[one] }))}
            value={operator}
            onChange={(next) => next && changeOperator(next as Operator)}
            allowDeselect={false}
            comboboxProps={inPopover}
          />
          {isList ? (
            <TextInput
              label={table.value}
              description={table.listHelp}
              value={value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          ) : type === 'boolean' || operator === 'exists' ? (
            <Select
              label={table.value}
              data={[
                { value: 'true', label: table.yes },
                { value: 'false', label: table.no },
              ]}
              value={value}
              onChange={(next) => next && setValue(next)}
              allowDeselect={false}
              comboboxProps={inPopover}
            />
          ) : type === 'choice' ? (
            <Select
              label={table.value}
              data={[...options]}
              value={value || null}
              onChange={(next) => next && setValue(next)}
              allowDeselect={false}
              comboboxProps={inPopover}
            />
          ) : type === 'number' ? (
            <NumberInput
              label={table.value}
              value={value === '' ? '' : Number(value)}
              onChange={(next) => setValue(String(next))}
            />
          ) : (
            <ValueInput
              label={table.value}
              value={type === 'time' ? dayIn(value) : value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
          )}
          <Button type="submit" disabled={!compared}>
            {table.apply}
          </Button>
        </>
      )}
    </Form>
  );
}
