import { UnstyledButton } from '@mantine/core';
import type { AttachedFile } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../../feedback/notify.ts';
import { FileDialog } from '../../files/file-dialog.tsx';
import { saveBlob } from '../../files/save-blob.ts';
import { type Download, usePicture } from '../../files/use-picture.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './files-panel.module.css';

type Props = { vehicleId: string; incidentId: string; file: AttachedFile };

/** A picture or a PDF opens in a dialog, anything else is saved. */
export function FileTile({ vehicleId, incidentId, file }: Props) {
  const texts = useTexts();
  const fleet = useFleet();
  const download: Download = (uuid, signal) =>
    fleet.incidents.downloadFile(vehicleId, incidentId, uuid, signal ? { signal } : {});
  const url = usePicture(file, download);
  const [isOpen, setIsOpen] = useState(false);
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () => (await download(file.uuid)).blob(),
    onSuccess: (blob) => saveBlob(file.filename, blob),
    onError: (error) => notifyProblem(error, texts),
  });
  if (!file.uploaded)
    return (
      <div className={classes.card} data-missing>
        <span className={classes.preview}>
          <Icon name="upload" size={24} />
        </span>
        <span className={classes.name}>{texts.files.missing(file.filename)}</span>
      </div>
    );
  return (
    <>
      <UnstyledButton
        className={classes.card}
        aria-label={(url ? texts.files.show : texts.files.save)(file.filename)}
        aria-busy={isPending || undefined}
        onClick={() => (url ? setIsOpen(true) : save())}
      >
        <span className={classes.preview}>
          {url ? <img src={url} alt="" /> : <Icon name="file-text" size={28} />}
        </span>
        <span className={classes.name}>{file.filename}</span>
      </UnstyledButton>
      {isOpen && <FileDialog file={file} download={download} onClose={() => setIsOpen(false)} />}
    </>
  );
}
