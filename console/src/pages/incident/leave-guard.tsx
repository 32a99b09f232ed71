import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';

/** Asks before a page is left whose changes are not saved. */
export function LeaveGuard({ hasChanges }: { hasChanges(): boolean }) {
  const { incident: texts, forms } = useTexts();
  const blocker = useBlocker({
    shouldBlockFn: hasChanges,
    enableBeforeUnload: hasChanges,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={texts.unsaved.title}
      text={texts.unsaved.text}
      confirm={forms.discard}
      isPending={false}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  );
}
