import { Modal } from '@mantine/core';
import { eTagOf } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { InlineProblem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { useTexts } from '../../texts/texts-provider.tsx';

type RecordType = Parameters<typeof queryKey>[0];

/** How a form sends what was entered, and what came of it. */
export type RecordForm<Values> = {
  isPending: boolean;
  error: unknown;
  onSubmit(values: Values): void;
  onClose(): void;
  onReload?: () => void;
};

type NewProps<Values, Created> = {
  record: RecordType;
  create(values: Values): Promise<Created>;
  /** In the place of a notice, where there is more to show. */
  onCreated?: ((created: Created) => void) | undefined;
  onClose(): void;
  children(form: RecordForm<Values>): ReactNode;
};

export function NewRecord<Values, Created>(props: NewProps<Values, Created>) {
  const { record, create, onCreated, onClose, children } = props;
  const onSaved = useSaved(record, onClose);
  const renew = useRenewal(record);
  const { mutate, isPending, error } = useMutation({
    mutationFn: create,
    onSuccess: (created) => {
      if (!onCreated) return onSaved();
      renew();
      onCreated(created);
    },
  });
  return children({ isPending, error, onSubmit: mutate, onClose });
}

type EditedProps<Value, Values> = {
  record: RecordType;
  id: string;
  title: string;
  read(signal: AbortSignal): Promise<Value>;
  save(values: Values, read: Value): Promise<unknown>;
  onClose(): void;
  children(read: Value, form: RecordForm<Values>): ReactNode;
};

/** Reads a record before it is edited: with its version, which lists do not have. */
export function EditedRecord<Value extends object, Values>(props: EditedProps<Value, Values>) {
  const { record, id, title, save, onClose, children } = props;
  const { forms } = useTexts();
  const onSaved = useSaved(record, onClose);
  const {
    data,
    error: unread,
    refetch,
    isFetchedAfterMount,
  } = useQuery({
    queryKey: ['edited', record, id],
    queryFn: ({ signal }) => props.read(signal),
    // A change by somebody else must not overwrite what is being entered.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ values, read }: { values: Values; read: Value }) => save(values, read),
    onSuccess: onSaved,
  });
  if (data && isFetchedAfterMount) {
    const onSubmit = (values: Values) => mutate({ values, read: data });
    const onReload = () => void refetch();
    return (
      <Fragment key={eTagOf(data)}>
        {children(data, { isPending, error, onSubmit, onClose, onReload })}
      </Fragment>
    );
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': forms.close }}>
      {unread ? (
        <InlineProblem error={unread} />
      ) : (
        <Delayed>
          <Bone width="60%" />
        </Delayed>
      )}
    </Modal>
  );
}

function useRenewal(record: RecordType) {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: queryKey(record) });
}

function useSaved(record: RecordType, onClose: () => void) {
  const { settings } = useTexts();
  const renew = useRenewal(record);
  return () => {
    renew();
    notifyDone(settings.saved);
    onClose();
  };
}
