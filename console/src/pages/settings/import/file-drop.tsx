import { Button, FileButton, Text } from '@mantine/core';
import { type DragEvent, useState } from 'react';
import { Icon } from '../../../icons/icon.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import classes from './import.module.css';

/** Takes a file that is dropped or chosen. */
export function FileDrop({ onFile }: { onFile(file: File): void }) {
  const { imports: words } = useTexts();
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={28} className={classes.dropIcon} />
      <Text>{words.drop}</Text>
      <FileButton accept=".csv,text/csv" onChange={(file) => file && onFile(file)}>
        {(props) => <Button {...props}>{words.choose}</Button>}
      </FileButton>
      <Text size="xs" c="dimmed" ta="center" maw={460}>
        {words.bounds}
      </Text>
    </div>
  );
}
