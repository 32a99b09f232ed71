import { ActionIcon, Button, Menu, Textarea } from '@mantine/core';
import { eTagOf, type Invoice } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { DraftDialog } from './draft-dialog.tsx';
import { useSaveInvoice } from './use-save-invoice.ts';

type Status = Invoice['status'];
type Open = 'dispute' | 'cancel' | 'delete' | 'complete';

/** What can be decided on an invoice in its state; the usual decision first. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const texts = useTexts();
  const { invoice: words } = texts;
  const mayEdit = useMay('editor');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { save, isPending, error } = useSaveInvoice(invoice, close);
  // Decided with a click, so that there is no dialog to tell of it.
  useEffect(() => {
    if (error && !open) notifyProblem(error, texts);
  }, [error, open, texts]);
  if (!mayEdit) return null;
  const { status } = invoice;
  const move = (next: Status, done: string) => save({ ...invoice, status: next }, done);
  const primary: Partial<Record<Status, { label: string; run(): void }>> = {
    draft: { label: words.complete, run: () => setOpen('complete') },
    open: { label: words.approve, run: () => move('approved', words.approved) },
    disputed: { label: words.approve, run: () => move('approved', words.approved) },
    approved: { label: words.pay, run: () => move('paid', words.paid) },
    cancelled: { label: words.restore, run: () => move('draft', words.restored) },
  };
  const others = [
    status === 'disputed' && {
      label: words.reopen,
      run: () => move('open', words.reopened),
    },
    status === 'paid' && { label: words.unpay, run: () => move('approved', words.approved) },
    ['draft', 'open', 'approved', 'disputed'].includes(status) && {
      label: words.cancel,
      run: () => setOpen('cancel'),
    },
    status === 'draft' && { label: words.deleteDraft, run: () => setOpen('delete') },
  ].filter((action) => action !== false);
  const first = primary[status];
  return (
    <>
      {(status === 'open' || status === 'approved') && (
        <Button
          variant="default"
          leftSection={<Icon name="flag" size={16} />}
          onClick={() => setOpen('dispute')}
          disabled={isPending}
        >
          {words.dispute}
        </Button>
      )}
      {first && (
        <Button
          leftSection={<Icon name={status === 'draft' ? 'pencil' : 'check'} size={16} />}
          onClick={first.run}
          loading={isPending && open === undefined}
        >
          {first.label}
        </Button>
      )}
      {others.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={words.moreActions}
              disabled={isPending}
            >
              <Icon name="ellipsis" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {others.map(({ label, run }) => (
              <Menu.Item key={label} onClick={run}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {open === 'dispute' && <DisputeDialog invoice={invoice} onClose={close} />}
      {open === 'complete' && <DraftDialog invoice={invoice} onClose={close} />}
      {open === 'delete' && <DeleteDialog invoice={invoice} onClose={close} />}
      {open === 'cancel' && <CancelDialog invoice={invoice} onClose={close} />}
    </>
  );
}

/** The reason is kept in the note, which is all of an invoice that can say it. */
function DisputeDialog({ invoice: given, onClose }: { invoice: Invoice; onClose(): void }) {
  const [invoice] = useState(given);
  const { invoice: texts } = useTexts();
  const [reason, setReason] = useState('');
  const { save, isPending, error, reload } = useSaveInvoice(invoice, onClose);
  const note = [invoice.note, texts.disputedBecause(reason.trim())].filter(Boolean).join('\n');
  return (
    <FormDialog
      title={texts.disputeTitle}
      submit={texts.dispute}
      isDirty={reason !== ''}
      isPending={isPending}
      isDisabled={reason.trim() === ''}
      error={error}
      onSubmit={() => save({ ...invoice, status: 'disputed', note }, texts.disputed)}
      onClose={onClose}
      onReload={reload}
    >
      <Textarea
        label={texts.reason}
        description={texts.disputeHelp}
        withAsterisk
        autosize
        minRows={3}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

function CancelDialog({ invoice: given, onClose }: { invoice: Invoice; onClose(): void }) {
  // What the question is about, whatever somebody else saves meanwhile.
  const [invoice] = useState(given);
  const { invoice: texts, invoices } = useTexts();
  const { save, isPending, error } = useSaveInvoice(invoice, onClose);
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      text={texts.cancelText(invoice.number ?? invoices.unnamed)}
      confirm={texts.cancel}
      isPending={isPending}
      error={error}
      onConfirm={() => save({ ...invoice, status: 'cancelled' }, texts.cancelled)}
      // Closed meanwhile, nobody would see that it was refused.
      onClose={() => isPending || onClose()}
    />
  );
}

function DeleteDialog({ invoice: given, onClose }: { invoice: Invoice; onClose(): void }) {
  // What the question is about, whatever somebody else saves meanwhile.
  const [invoice] = useState(given);
  const { invoice: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.invoices.delete(invoice.id, { ifMatch: eTagOf(invoice) as string }),
    onSuccess: async () => {
      notifyDone(texts.deleted);
      await navigate({ to: '/invoices', replace: true });
      await queries.invalidateQueries({ queryKey: queryKey('invoice') });
    },
  });
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText}
      confirm={texts.deleteDraft}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
