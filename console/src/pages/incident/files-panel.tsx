import { ActionIcon, Progress, Tooltip } from '@mantine/core';
import type { AttachedFile, Incident } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { FileDrop } from '../../files/file-drop.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { FileTile } from './file-tile.tsx';
import classes from './files-panel.module.css';
import { type Upload, useUploads } from './use-uploads.ts';

type Props = { vehicleId: string; incident: Incident };

/** Photos and documents: dropped or chosen, shown, and removed after a question. */
export function FilesPanel({ vehicleId, incident }: Props) {
  const { incident: texts, files: fileTexts } = useTexts();
  const mayEdit = useMay('editor');
  const { uploads, upload } = useUploads(vehicleId, incident.id);
  const [doomed, setDoomed] = useState<AttachedFile>();
  const { blobs = [] } = incident;
  // Those that are on their way are in the list of uploads.
  const files = blobs.filter(({ uploaded }) => uploaded || uploads.length === 0);
  return (
    <Panel title={texts.files} count={files.length}>
      {files.length === 0 && !mayEdit && <p className={classes.hint}>{texts.noFiles}</p>}
      <ul className={classes.tiles} aria-label={texts.files}>
        {files.map((file) => (
          <li key={file.uuid} className={classes.tile}>
            <FileTile vehicleId={vehicleId} incidentId={incident.id} file={file} />
            {mayEdit && (
              <Tooltip label={fileTexts.remove(file.filename)}>
                <ActionIcon
                  className={classes.remove}
                  variant="default"
                  size={26}
                  aria-label={fileTexts.remove(file.filename)}
                  onClick={() => setDoomed(file)}
                >
                  <Icon name="trash-2" size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
      {uploads.length > 0 && (
        <ul className={classes.uploads} aria-label={texts.uploads}>
          {uploads.map((one) => (
            <UploadRow key={one.id} upload={one} />
          ))}
        </ul>
      )}
      {mayEdit && (
        <FileDrop isMultiple text={texts.drop} choose={fileTexts.choose} onFiles={upload} />
      )}
      {doomed && (
        <RemoveQuestion
          vehicleId={vehicleId}
          incidentId={incident.id}
          file={doomed}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Panel>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const { incident: texts } = useTexts();
  const formats = useFormats();
  const { name, size, sentBytes, cancel } = upload;
  const percent = size === 0 ? 0 : Math.min(100, (sentBytes / size) * 100);
  return (
    <li className={classes.upload}>
      <span className={classes.uploadName}>{name}</span>
      <span className={classes.uploadSize}>
        {texts.sent(formats.percent(percent), formats.bytes(size))}
      </span>
      <ActionIcon size={26} aria-label={texts.cancelUpload(name)} onClick={cancel}>
        <Icon name="x" size={14} />
      </ActionIcon>
      <Progress value={percent} aria-label={texts.progressOf(name)} className={classes.progress} />
    </li>
  );
}

type QuestionProps = {
  vehicleId: string;
  incidentId: string;
  file: AttachedFile;
  onClose(): void;
};

function RemoveQuestion({ vehicleId, incidentId, file, onClose }: QuestionProps) {
  const { incident: texts } = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.incidents.removeFile(vehicleId, incidentId, file.uuid),
    onSuccess: async () => {
      notifyDone(texts.fileRemoved(file.filename));
      await queries.invalidateQueries({ queryKey: queryKey('incident') });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.removeFileTitle}
      text={texts.removeFileText(file.filename)}
      confirm={texts.removeFileAction}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
