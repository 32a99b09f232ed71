import { Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { Icon } from '../icons/icon.tsx';
import classes from './files.module.css';

type Props = {
  /** What may be dropped. */
  text: string;
  /** What the button says. */
  choose: string;
  /** The types of files, as an input has them. */
  accept?: string;
  isMultiple?: boolean;
  isPending?: boolean;
  onFiles(files: File[]): void;
};

/** Takes files that are dropped, or chosen with the button. */
export function FileDrop(props: Props) {
  const { text, choose, accept, isMultiple = false, isPending = false, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const all = [...(files ?? [])];
    if (all.length > 0) onFiles(isMultiple ? all : all.slice(0, 1));
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for the keyboard
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      aria-busy={isPending || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="upload" size={18} />
      <span className={classes.dropText}>{text}</span>
      <Button variant="default" loading={isPending} onClick={() => input.current?.click()}>
        {choose}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
