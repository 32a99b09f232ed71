import { Modal, UnstyledButton } from '@mantine/core';
import type { AttachedFile } from '@motorpool/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../../feedback/notify.ts';
import { saveBlob } from '../../files/save-blob.ts';
import { Icon } from '../../icons/icon.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import classes from './files-panel.module.css';
import { usePictureUrl } from './use-file-content.ts';

type Props = { vehicleId: string; incidentId: string; file: AttachedFile };

/** A picture opens in a dialog, anything else is saved. */
export function FileTile({ vehicleId, incidentId, file }: Props) {
  const texts = useTexts();
  const fleet = useFleet();
  const url = usePictureUrl(vehicleId, incidentId, file);
  const [isOpen, setIsOpen] = useState(false);
  const { mutate: save, isPending } = useMutation({
    mutationFn: async () =>
      (await fleet.incidents.downloadFile(vehicleId, incidentId, file.uuid)).blob(),
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
      {isOpen && url && (
        <Modal
          opened
          size="auto"
          onClose={() => setIsOpen(false)}
          title={file.filename}
          closeButtonProps={{ 'aria-label': texts.forms.close }}
        >
          <img src={url} alt={file.filename} className={classes.picture} />
        </Modal>
      )}
    </>
  );
}
