import { Group, Select, Text, TextInput } from '@mantine/core';
import type { Invoice, InvoiceOcr } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DateInput } from '../../forms/date-input.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { MoneyInput } from '../../forms/money-input.tsx';
import { NumberInput } from '../../forms/number-input.tsx';
import { VehiclePicker } from '../../forms/vehicle-picker.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import {
  type Draft,
  draftOf,
  invoiceOf,
  isComplete,
  payableOf,
  recognisedCurrency,
} from './draft.ts';
import { useRecognition } from './use-recognition.ts';
import { useSaveInvoice } from './use-save-invoice.ts';

type Props = { invoice: Invoice; onClose(): void };

/** Makes an invoice of a receipt: filled with what was recognised, for a person to compare. */
export function DraftDialog(props: Props) {
  const { data, isPending } = useQuery(useRecognition(props.invoice));
  if (isPending) return null;
  return <DraftForm {...props} suggestions={data?.suggestions ?? []} />;
}

function DraftForm({
  invoice: given,
  onClose,
  suggestions,
}: Props & { suggestions: InvoiceOcr['suggestions'] }) {
  const { invoice: texts, invoices, costKinds } = useTexts();
  const formats = useFormats();
  const [invoice] = useState(given);
  const [draft, setDraft] = useState<Draft>(() => draftOf(invoice, suggestions));
  const [isDirty, setIsDirty] = useState(false);
  const { save, isPending, error, reload } = useSaveInvoice(invoice, onClose);
  const set = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next });
    setIsDirty(true);
  };
  const hint = (field: InvoiceOcr['suggestions'][number]['field']) => {
    const found = suggestions.find((one) => one.field === field);
    return found && texts.suggested(formats.percent(found.confidence * 100));
  };
  const text = (field: 'number' | 'supplierName' | 'supplierVatId', label: string) => (
    <TextInput
      label={label}
      description={hint(field)}
      withAsterisk={field !== 'supplierVatId'}
      value={draft[field]}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
    />
  );
  const day = (field: 'issueDate' | 'dueDate', label: string) => (
    <DateInput
      flex={1}
      label={label}
      description={hint(field)}
      withAsterisk={field === 'issueDate'}
      value={draft[field]}
      onChange={({ currentTarget }) => set({ [field]: currentTarget.value })}
    />
  );
  return (
    <FormDialog
      title={texts.draft.title}
      submit={texts.draft.submit}
      isDirty={isDirty}
      isPending={isPending}
      isDisabled={!isComplete(invoice, draft)}
      error={error}
      onSubmit={() => save(invoiceOf(invoice, draft), texts.completed)}
      onClose={onClose}
      onReload={reload}
    >
      {suggestions.length > 0 && (
        <Text size="sm" c="dimmed">
          {texts.draft.help}
        </Text>
      )}
      <Select
        label={invoices.fields.type}
        data={Object.entries(invoices.types).map(([value, label]) => ({ value, label }))}
        value={draft.type}
        allowDeselect={false}
        onChange={(type) => type && set({ type: type as Draft['type'] })}
      />
      {text('supplierName', texts.supplier)}
      {text('supplierVatId', texts.vatId)}
      {text('number', invoices.fields.number)}
      <Group gap="xs" align="flex-end">
        {day('issueDate', invoices.fields.issueDate)}
        {day('dueDate', invoices.fields.dueDate)}
      </Group>
      {invoice.lines.length === 0 && (
        <>
          <TextInput
            label={texts.draft.text}
            withAsterisk
            value={draft.text}
            onChange={({ currentTarget }) => set({ text: currentTarget.value })}
          />
          <MoneyInput
            label={texts.draft.net}
            {...(hint('taxExclusiveAmount') && { help: hint('taxExclusiveAmount') as string })}
            value={draft.net}
            onChange={(net) => set({ net })}
          />
          <Group gap="xs" align="flex-end">
            <NumberInput
              flex={1}
              label={texts.draft.vatRate}
              withAsterisk
              value={draft.vatRate}
              min={0}
              max={30}
              onChange={(vatRate) => set({ vatRate })}
            />
            <Select
              flex={1}
              label={texts.kind}
              data={Object.entries(costKinds).map(([value, label]) => ({ value, label }))}
              value={draft.kind}
              allowDeselect={false}
              onChange={(kind) => kind && set({ kind: kind as Draft['kind'] })}
            />
          </Group>
          <Payable invoice={invoice} draft={draft} suggestions={suggestions} />
          <VehiclePicker
            label={texts.vehicle}
            value={draft.vehicleId}
            onChange={(vehicleId) => set({ vehicleId })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** What follows from the amount and the rate, to be compared with the paper. */
function Payable({
  invoice,
  draft,
  suggestions,
}: {
  invoice: Invoice;
  draft: Draft;
  suggestions: InvoiceOcr['suggestions'];
}) {
  const { invoice: texts } = useTexts();
  const formats = useFormats();
  const payable = payableOf(invoice, draft);
  const found = suggestions.find(({ field }) => field === 'payableAmount')?.value;
  if (payable === undefined) return null;
  const { currency } = draft.net;
  const currencyFound = recognisedCurrency(invoice, suggestions);
  return (
    <Text size="sm" aria-live="polite">
      {`${texts.payable}: ${formats.exactMoney(payable, currency)}`}
      {found !== undefined && (Number(found) !== payable || currencyFound !== currency) && (
        <Text span inherit c="var(--state-warning)">
          {` · ${texts.draft.recognised(formats.exactMoney(Number(found), currencyFound))}`}
        </Text>
      )}
    </Text>
  );
}
