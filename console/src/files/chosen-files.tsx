import { ActionIcon } from '@mantine/core';
import { Icon } from '../icons/icon.tsx';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import { FileDrop } from './file-drop.tsx';
import classes from './files.module.css';

type Props = {
  files: readonly File[];
  /** What may be dropped; any file by default. */
  drop?: string;
  onChange(files: File[]): void;
};

/** Files that are to be uploaded when the form is sent. */
export function ChosenFiles({ files, drop, onChange }: Props) {
  const { files: texts } = useTexts();
  const formats = useFormats();
  return (
    <div>
      <FileDrop
        isMultiple
        text={drop ?? texts.drop}
        choose={texts.choose}
        onFiles={(added) => onChange([...files, ...added])}
      />
      <ul className={classes.chosen} aria-label={texts.files}>
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be chosen twice
          <li key={index}>
            <Icon name="file" size={16} />
            <span className={classes.name}>{file.name}</span>
            <span className={classes.size}>{formats.bytes(file.size)}</span>
            <ActionIcon
              size="sm"
              aria-label={texts.remove(file.name)}
              onClick={() => onChange(files.toSpliced(index, 1))}
            >
              <Icon name="x" size={14} />
            </ActionIcon>
          </li>
        ))}
      </ul>
    </div>
  );
}
