import type { Incident, OcrDocument, OcrSuggestion } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { StateBadge } from '../../values/state-badge.tsx';
import { DocumentView } from './document-view.tsx';
import classes from './recognition-panel.module.css';
import { SuggestionRow } from './suggestion-row.tsx';

type Props = { vehicleId: string; incident: Incident; document: OcrDocument };

/** A document, and what it suggests; what is pointed at is marked in the document. */
export function DocumentSuggestions({ vehicleId, incident, document }: Props) {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const [pointed, setPointed] = useState<OcrSuggestion>();
  const { blobUuid, filename, status, suggestions } = document;
  const { mutate, isPending } = useMutation({
    mutationFn: ({ field, decision }: { field: string; decision: 'take' | 'leave' }) =>
      fleet.incidents.decideSuggestion(vehicleId, incident.id, blobUuid, field, { decision }),
    onError: (error) => notifyProblem(error, texts),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKey('incident') }),
  });
  return (
    <section className={classes.document} aria-label={filename}>
      <DocumentView
        vehicleId={vehicleId}
        incidentId={incident.id}
        document={document}
        pointed={pointed}
        onPoint={setPointed}
      />
      <div className={classes.suggestions}>
        <h3 className={classes.filename}>{filename}</h3>
        {status === 'ERROR' && (
          <StateBadge tone="warning" icon="triangle-alert" text={texts.incident.notReadable} />
        )}
        <ul className={classes.list} aria-label={texts.incident.suggestionsOf(filename)}>
          {suggestions.map((suggestion) => (
            <SuggestionRow
              key={suggestion.field}
              suggestion={suggestion}
              incident={incident}
              isPointed={suggestion.field === pointed?.field}
              isPending={isPending}
              onPoint={setPointed}
              onDecide={(decision) => mutate({ field: suggestion.field, decision })}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}
