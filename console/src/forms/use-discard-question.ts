import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';

type Options = {
  /** Whether something would be lost. */
  isDirty: boolean;
  isPending: boolean;
  onClose(): void;
};

/** Asks before a dialog forgets what was entered, whether it is closed or its page is left. */
export function useDiscardQuestion({ isDirty, isPending, onClose }: Options) {
  const [asks, setAsks] = useState(false);
  const blocker = useBlocker({
    // What is being sent is not lost, and the page may leave once it is saved.
    shouldBlockFn: () => isDirty && !isPending,
    enableBeforeUnload: isDirty || isPending,
    withResolver: true,
  });
  return {
    isAsking: !isPending && (asks || blocker.status === 'blocked'),
    close() {
      if (isPending) return;
      if (isDirty) setAsks(true);
      else onClose();
    },
    discard() {
      onClose();
      blocker.proceed?.();
    },
    stay() {
      setAsks(false);
      blocker.reset?.();
    },
  };
}
