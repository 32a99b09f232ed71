import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './values.module.css';

/** An id that copies itself. */
export function CopyableId({ id, label }: { id: string; label?: string }) {
  const { values } = useTexts();
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? values.copied : values.copy}>
          <UnstyledButton className={classes.id} onClick={copy} aria-label={values.copyId(id)}>
            <span>{label ?? id}</span>
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}
