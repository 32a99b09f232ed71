import { Button } from '@mantine/core';
import type { Incident, OcrDocument } from '@motorpool/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notifyProblem } from '../../feedback/notify.ts';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Icon } from '../../icons/icon.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import { DocumentSuggestions } from './document-suggestions.tsx';
import classes from './recognition-panel.module.css';

type Props = { vehicleId: string; incident: Incident };

const pollMs = 3_000;

/** What was read in the documents, beside the document that says so. */
export function RecognitionPanel({ vehicleId, incident }: Props) {
  const { incident: texts } = useTexts();
  const fleet = useFleet();
  const mayEdit = useMay('editor');
  const { id: incidentId, blobs = [] } = incident;
  const hasFiles = blobs.some(({ uploaded }) => uploaded);
  const { data, error } = useQuery({
    queryKey: queryKey('incident', 'ocr', vehicleId, incidentId),
    queryFn: ({ signal }) => fleet.incidents.getOcr(vehicleId, incidentId, { signal }),
    enabled: hasFiles,
    refetchInterval: ({ state }) => (state.data?.status === 'PROCESSING' ? pollMs : false),
  });
  if (!hasFiles) return null;
  const told = (data?.documents ?? []).filter(tellsSomething);
  return (
    <Panel
      title={texts.recognition}
      actions={mayEdit && <ReadAgain vehicleId={vehicleId} incidentId={incidentId} />}
    >
      {error && !data && <InlineProblem error={error} />}
      {data?.status === 'PROCESSING' && (
        <StateBadge tone="info" icon="refresh-cw" text={texts.beingRead} />
      )}
      {data && data.status !== 'PROCESSING' && told.length === 0 && (
        <p className={classes.hint}>{texts.nothingRead}</p>
      )}
      {told.map((document) => (
        <DocumentSuggestions
          key={document.blobUuid}
          vehicleId={vehicleId}
          incident={incident}
          document={document}
        />
      ))}
    </Panel>
  );
}

const tellsSomething = ({ status, suggestions }: OcrDocument) =>
  suggestions.length > 0 || status === 'ERROR';

function ReadAgain({ vehicleId, incidentId }: { vehicleId: string; incidentId: string }) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => fleet.incidents.setOcrStatus(vehicleId, incidentId, { status: 'PROCESSING' }),
    onError: (error) => notifyProblem(error, texts),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('incident') }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh-cw" size={16} />}
      loading={isPending}
      onClick={() => mutate()}
    >
      {texts.incident.readAgain}
    </Button>
  );
}
