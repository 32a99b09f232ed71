import { Breadcrumbs } from '@mantine/core';
import type { Incident } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { CopyableId } from '../../values/copyable-id.tsx';
import { DamagesPanel } from './damages-panel.tsx';
import { FilesPanel } from './files-panel.tsx';
import { IncidentActions } from './incident-actions.tsx';
import { IncidentConflict } from './incident-conflict.tsx';
import { draftOf } from './incident-draft.ts';
import classes from './incident-page.module.css';
import { incidentQuery } from './incident-query.ts';
import { IncidentState } from './incident-state.tsx';
import { IncidentStory } from './incident-story.tsx';
import { IncidentSummary } from './incident-summary.tsx';
import { PossibleDuplicates } from './possible-duplicates.tsx';
import { RecognitionPanel } from './recognition-panel.tsx';
import { incidentRoute } from './route.ts';
import { Severity, worstOf } from './severity.tsx';
import { useSaveIncident } from './use-save-incident.ts';

export function IncidentPage() {
  const key = incidentRoute.useParams();
  return <IncidentDetail key={key.incidentId} {...key} />;
}

function IncidentDetail(key: { vehicleId: string; incidentId: string }) {
  const { incidents, pages } = useTexts();
  const fleet = useFleet();
  const { vehicleId, incidentId } = key;
  const { data, error, refetch } = useQuery(incidentQuery(fleet, vehicleId, incidentId));
  // What somebody else saves while a damage is entered is met when it is saved.
  const [pinned, setPinned] = useState<Incident>();
  const base = pinned ?? data;
  const { save, saveChoice, takeTheirs, pending, isPending, conflict, forgetConflict } =
    useSaveIncident(key, (saved, from) =>
      setPinned((current) => (current === from ? saved : current)),
    );
  const shown = data && (pending ? { ...data, damages: undefined, ...pending } : data);
  const worst = worstOf(shown?.damages);
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/incidents" size="xs">
          {pages.incidents}
        </AnchorLink>
        <CopyableId id={incidentId} />
      </Breadcrumbs>
      <Page
        title={shown?.title ?? incidents.incident}
        aside={
          shown && (
            <>
              <IncidentState incident={shown} />
              {worst && <Severity level={worst} />}
            </>
          )
        }
        actions={
          data && (
            <IncidentActions
              vehicleId={vehicleId}
              incident={data}
              isPending={isPending}
              onResolve={(isResolved) => save(data, { ...draftOf(data), isResolved })}
            />
          )
        }
      >
        {error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : shown && base ? (
          <div className={classes.parts}>
            <IncidentSummary vehicleId={vehicleId} incident={shown} />
            <PossibleDuplicates vehicleId={vehicleId} incident={data} />
            <DamagesPanel
              isGuarded
              damages={(pending ?? base).damages ?? []}
              isPending={isPending}
              onChange={(damages, onDecided) =>
                save(base, draftOf({ ...draftOf(base), damages }), onDecided)
              }
              onEditing={(isEditing) => setPinned(isEditing ? data : undefined)}
            />
            <div className={classes.columns}>
              <IncidentStory incident={shown} />
              <FilesPanel vehicleId={vehicleId} incident={data} />
            </div>
            <RecognitionPanel vehicleId={vehicleId} incident={data} />
          </div>
        ) : (
          <Delayed>
            <Bone width="40%" />
          </Delayed>
        )}
      </Page>
      {conflict && (
        <IncidentConflict
          conflict={conflict}
          isPending={isPending}
          onSave={saveChoice}
          onTakeTheirs={() => {
            takeTheirs();
            void refetch();
          }}
          onClose={() => {
            forgetConflict();
            void refetch();
          }}
        />
      )}
    </>
  );
}
