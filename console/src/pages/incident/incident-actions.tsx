import { Button } from '@mantine/core';
import { eTagOf, type Incident } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { notifyDone } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { Icon } from '../../icons/icon.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';

type Props = {
  vehicleId: string;
  incident: Incident;
  isPending: boolean;
  onResolve(isResolved: boolean): void;
};

export function IncidentActions({ vehicleId, incident, isPending, onResolve }: Props) {
  const { incident: texts } = useTexts();
  const mayEdit = useMay('editor');
  const [asks, setAsks] = useState(false);
  if (!mayEdit) return null;
  const { id: incidentId, isResolved } = incident;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name={isResolved ? 'refresh-cw' : 'check'} size={16} />}
        disabled={isPending}
        onClick={() => onResolve(!isResolved)}
      >
        {isResolved ? texts.reopen : texts.resolve}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="pencil" size={16} />}
        renderRoot={(props) => (
          <Link
            to="/incidents/$vehicleId/$incidentId/edit"
            params={{ vehicleId, incidentId }}
            {...props}
          />
        )}
      >
        {texts.edit}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="trash-2" size={16} />}
        onClick={() => setAsks(true)}
      >
        {texts.delete}
      </Button>
      {asks && (
        <DeleteQuestion vehicleId={vehicleId} incident={incident} onClose={() => setAsks(false)} />
      )}
    </>
  );
}

function DeleteQuestion({
  vehicleId,
  incident,
  onClose,
}: Pick<Props, 'vehicleId' | 'incident'> & { onClose(): void }) {
  const { incident: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  // What the question names, whatever somebody else saves meanwhile.
  const [asked] = useState(incident);
  const { id, title, damages = [], blobs = [] } = asked;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.incidents.delete(vehicleId, id, { ifMatch: eTagOf(asked) }),
    onSuccess: async () => {
      notifyDone(texts.deleted(title));
      await navigate({ to: '/incidents' });
      queries.removeQueries({ queryKey: queryKey('incident', 'one', vehicleId, id) });
      await queries.invalidateQueries({ queryKey: queryKey('incident') });
    },
  });
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText(
        title,
        damages.length,
        formats.number(damages.length),
        blobs.length,
        formats.number(blobs.length),
      )}
      confirm={texts.deleteAction}
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
