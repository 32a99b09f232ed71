import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { type AttachedFile, eTagOf, type LogbookEntry } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../../../feedback/notify.ts';
import { AttachedFiles } from '../../../files/attached-files.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { Icon } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { categoryIcons } from './category-select.tsx';
import classes from './logbook-tab.module.css';

type Props = { vehicleId: string; entry: LogbookEntry; mayEdit: boolean; onEdit(): void };

/** One entry, with its files and what can be done with it. */
export function EntryItem({ vehicleId, entry, mayEdit, onEdit }: Props) {
  const { logbook: texts, logbookCategories, files: fileTexts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'delete' | AttachedFile>();
  const close = () => setOpen(undefined);
  const { id, title, date, category, odometer, cost, description, tags, blobs } = entry;
  const onSettled = () => queries.invalidateQueries({ queryKey: queryKey('logbook-entry') });
  const remove = useMutation({
    mutationFn: async () => {
      // A list has no versions: it is read once more, and must be what is on the screen.
      const read = await fleet.logbook.get(vehicleId, id);
      const ifMatch = read.updatedAt === entry.updatedAt ? eTagOf(read) : '"changed"';
      await fleet.logbook.delete(vehicleId, id, { ifMatch });
    },
    onSuccess: () => notifyDone(texts.deleted),
    onSettled,
  });
  const removeFile = useMutation({
    mutationFn: (file: AttachedFile) => fleet.logbook.removeFile(vehicleId, id, file.uuid),
    onSuccess: close,
    onSettled,
  });
  const facts = [
    odometer !== undefined && formats.kilometres(odometer),
    cost && formats.exactMoney(cost.amount, cost.currency),
  ].filter(Boolean);
  return (
    <li className={classes.entry}>
      <span className={classes.icon} title={logbookCategories[category]}>
        <Icon name={categoryIcons[category]} size={16} />
      </span>
      <div className={classes.body}>
        <div className={classes.head}>
          <strong>{title}</strong>
          <span className={classes.quiet}>
            {[formats.date(date), logbookCategories[category]].join(' · ')}
          </span>
          <span className={classes.facts}>{facts.join(' · ')}</span>
          {mayEdit && (
            <Group gap={0} wrap="nowrap">
              <Tooltip label={texts.edit(title)}>
                <ActionIcon aria-label={texts.edit(title)} onClick={onEdit}>
                  <Icon name="pencil" size={15} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={texts.delete(title)}>
                <ActionIcon aria-label={texts.delete(title)} onClick={() => setOpen('delete')}>
                  <Icon name="trash-2" size={15} />
                </ActionIcon>
              </Tooltip>
            </Group>
          )}
        </div>
        {description && <p className={classes.description}>{description}</p>}
        {tags && tags.length > 0 && (
          <p className={classes.tags}>
            {tags.map((tag) => (
              <span key={tag}>{tag}</span>
            ))}
          </p>
        )}
        <AttachedFiles
          files={blobs ?? []}
          download={(uuid, signal) =>
            fleet.logbook.downloadFile(vehicleId, id, uuid, signal ? { signal } : {})
          }
          onRemove={mayEdit ? setOpen : undefined}
        />
      </div>
      {open === 'delete' && (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteText(title, blobs?.length ?? 0)}
          confirm={texts.deleteEntry}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
      {typeof open === 'object' && (
        <ConfirmDialog
          title={fileTexts.removeTitle}
          text={fileTexts.removeText(open.filename)}
          confirm={fileTexts.remove(open.filename)}
          isPending={removeFile.isPending}
          error={removeFile.error}
          onConfirm={() => removeFile.mutate(open)}
          onClose={close}
        />
      )}
    </li>
  );
}
