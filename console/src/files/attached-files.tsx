import { ActionIcon, Modal, Tooltip, UnstyledButton } from '@mantine/core';
import type { AttachedFile } from '@motorpool/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../feedback/notify.ts';
import { queryKey } from '../fleet/queries.ts';
import { Icon } from '../icons/icon.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import classes from './files.module.css';
import { saveBlob } from './save-blob.ts';
import { useObjectUrl } from './use-object-url.ts';

type Download = (uuid: string, signal?: AbortSignal) => Promise<Response>;

type Props = {
  files: readonly AttachedFile[];
  download: Download;
  /** Left out where files cannot be removed, or not by this person. */
  onRemove?: ((file: AttachedFile) => void) | undefined;
};

const readable = /\.(txt|xml|csv|json|md)$/i;
const picture = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;

/** The files of a record: pictures and texts are shown, others are saved. */
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
  const [content, setContent] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const isPicture = file.uploaded && picture.test(file.filename);
  const isText = readable.test(file.filename);
  const { data } = useQuery({
    queryKey: queryKey('file', 'content', file.uuid),
    queryFn: async ({ signal }) => (await download(file.uuid, signal)).blob(),
    enabled: isPicture,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const url = useObjectUrl(data);
  const { mutate: open, isPending } = useMutation({
    mutationFn: async () => (await download(file.uuid)).blob(),
    onSuccess: async (blob) => {
      if (!isText) return saveBlob(file.filename, blob);
      setContent(await blob.text());
      setIsOpen(true);
    },
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
        onClick={() => (url ? setIsOpen(true) : open())}
        aria-busy={isPending || undefined}
        aria-label={(isShown ? texts.files.show : texts.files.save)(file.filename)}
      >
        {url ? (
          <img src={url} alt="" className={classes.thumbnail} />
        ) : (
          <Icon name={isPicture ? 'image' : isText ? 'file-text' : 'file'} size={18} />
        )}
        <span className={classes.name}>{file.filename}</span>
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title={file.filename}
        size="xl"
        closeButtonProps={{ 'aria-label': texts.forms.close }}
      >
        {url ? (
          <img src={url} alt={file.filename} className={classes.picture} />
        ) : (
          <pre className={classes.content}>{content}</pre>
        )}
      </Modal>
    </>
  );
}
