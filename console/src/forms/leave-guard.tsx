import { useBlocker } from '@tanstack/react-router';
import { useTexts } from '../texts/texts-provider.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a page is left whose changes are not saved. */
export function LeaveGuard({ hasChanges }: { hasChanges(): boolean }) {
  const { forms } = useTexts();
  const blocker = useBlocker({
    shouldBlockFn: hasChanges,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={forms.unsaved.title}
      text={forms.unsaved.text}
      confirm={forms.discard}
      isPending={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
