import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { InlineProblem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

type Props<Value> = {
  queryKey: readonly unknown[];
  read(signal: AbortSignal): Promise<Value>;
  title: string;
  onClose(): void;
  children(record: Value, reload: () => void): ReactNode;
};

/** Reads a record before it is edited: with its version, which lists do not have. */
export function EditedRecord<Value extends object>(props: Props<Value>) {
  const { queryKey, read, title, onClose, children } = props;
  const { forms } = useTexts();
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(signal),
    // A change by somebody else must not overwrite what is being entered.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  if (data && isFetchedAfterMount) return children(data, () => void refetch());
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': forms.close }}>
      {error ? (
        <InlineProblem error={error} />
      ) : (
        <Delayed>
          <Bone width="60%" />
        </Delayed>
      )}
    </Modal>
  );
}
