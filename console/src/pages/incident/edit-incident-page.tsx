import { Breadcrumbs } from '@mantine/core';
import type { Incident } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.ts';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { draftOfForm, formValuesOf } from './form-values.ts';
import { IncidentConflict } from './incident-conflict.tsx';
import { draftOf } from './incident-draft.ts';
import { IncidentForm } from './incident-form.tsx';
import classes from './incident-page.module.css';
import { incidentQuery } from './incident-query.ts';
import { editIncidentRoute } from './route.ts';
import { useSaveIncident } from './use-save-incident.ts';

export function EditIncidentPage() {
  const { incident: texts, pages, feedback } = useTexts();
  const mayEdit = useMay('editor');
  const fleet = useFleet();
  const { vehicleId, incidentId } = editIncidentRoute.useParams();
  const { data, error, refetch } = useQuery(incidentQuery(fleet, vehicleId, incidentId));
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/incidents" size="xs">
          {pages.incidents}
        </AnchorLink>
        <AnchorLink
          to="/incidents/$vehicleId/$incidentId"
          params={{ vehicleId, incidentId }}
          size="xs"
        >
          {data?.title ?? incidentId}
        </AnchorLink>
      </Breadcrumbs>
      <Page title={texts.editTitle}>
        {!mayEdit ? (
          <EmptyState icon="ban" {...feedback.refused} />
        ) : error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <EditForm key={incidentId} vehicleId={vehicleId} incident={data} />
        ) : (
          <Delayed>
            <Bone width="40%" />
          </Delayed>
        )}
      </Page>
    </>
  );
}

function EditForm({ vehicleId, incident }: { vehicleId: string; incident: Incident }) {
  const { incident: texts, incidentKinds } = useTexts();
  const navigate = useNavigate();
  // What somebody else saves meanwhile is met when this is saved.
  const [base] = useState(incident);
  const initial = formValuesOf(base, incidentKinds);
  const [values, setValues] = useState(initial);
  const isDone = useRef(false);
  const key = { vehicleId, incidentId: base.id };
  const leave = () => void navigate({ to: '/incidents/$vehicleId/$incidentId', params: key });
  const { save, saveChoice, isPending, conflict, forgetConflict } = useSaveIncident(key, () => {
    isDone.current = true;
    notifyDone(texts.saved);
    leave();
  });
  const hasChanges = () => !isDone.current && JSON.stringify(values) !== JSON.stringify(initial);
  return (
    <>
      <IncidentForm
        values={values}
        onChange={setValues}
        submit={texts.save}
        isPending={isPending}
        onSubmit={() => save(base, draftOfForm(values, incidentKinds, draftOf(base)))}
        onCancel={leave}
      />
      <LeaveGuard hasChanges={hasChanges} />
      {conflict && (
        <IncidentConflict
          conflict={conflict}
          isPending={isPending}
          onSave={saveChoice}
          onTakeTheirs={() => {
            isDone.current = true;
            leave();
          }}
          onClose={forgetConflict}
        />
      )}
    </>
  );
}
