import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import type { AttachedFile } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../feedback/notify.ts';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { FileDialog } from './file-dialog.tsx';
import classes from './files.module.css';
import { saveBlob } from './save-blob.ts';
import { type Download, isPicture, usePicture } from './use-picture.ts';

type Props = {
  files: readonly AttachedFile[];
  download: Download;
  /** Left out where files cannot be removed, or not by this person. */
  onRemove?: ((file: AttachedFile) => void) | undefined;
};

const readable = /\.(txt|xml|csv|json|md)$/i;

/** The files of a record: pictures, PDFs and texts are shown, others are saved. */
export function AttachedFiles({ files, download, onRemove }: Props) {
  const { files: texts } = useTexts();
  if (files.length === 0) return null;
  return (
    <ul className={classes.files} aria-label={texts.files}>
      {files.map((file) => (
        <li key={file.uuid} className={classes.file}>
          <FileCard file={file} download={download} />
          {onRemove && (
            <Tooltip label={texts.remove(file.filename)}>
              <ActionIcon
                size="sm"
                aria-label={texts.remove(file.filename)}
                onClick={() => onRemove(file)}
              >
                <Icon name="x" size={14} />
              </ActionIcon>
            </Tooltip>
          )}
        </li>
      ))}
    </ul>
  );
}

function FileCard({ file, download }: { file: AttachedFile; download: Download }) {
  const texts = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const url = usePicture(file, download);
  const isText = readable.test(file.filename);
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () => (await download(file.uuid)).blob(),
    onSuccess: (blob) => saveBlob(file.filename, blob),
    onError: (error) => notifyProblem(error, texts),
  });
  if (!file.uploaded)
    return (
      <span className={classes.card} data-missing>
        <Icon name="file" size={18} />
        <span className={classes.name}>{texts.files.missing(file.filename)}</span>
      </span>
    );
  const isShown = url !== undefined || isText;
  return (
    <>
      <UnstyledButton
        className={classes.card}
        onClick={() => (isShown ? setIsOpen(true) : save())}
        aria-busy={isPending || undefined}
        aria-label={(isShown ? texts.files.show : texts.files.save)(file.filename)}
      >
        {url ? (
          <img src={url} alt="" className={classes.thumbnail} />
        ) : (
          <Icon name={isPicture(file) ? 'image' : isText ? 'file-text' : 'file'} size={18} />
        )}
        <span className={classes.name}>{file.filename}</span>
      </UnstyledButton>
      {isOpen && <FileDialog file={file} download={download} onClose={() => setIsOpen(false)} />}
    </>
  );
}
