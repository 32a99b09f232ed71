import type { IncidentDamage } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { queryKey } from '../../fleet/queries.ts';
import { VehiclePicker } from '../../forms/vehicle-picker.tsx';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { DamagesPanel } from './damages-panel.tsx';
import { draftOfForm, emptyForm } from './form-values.ts';
import { IncidentForm } from './incident-form.tsx';
import classes from './incident-page.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { newIncidentRoute } from './route.ts';

export function NewIncidentPage() {
  const { pages, incidents, feedback } = useTexts();
  const mayEdit = useMay('editor');
  return (
    <>
      <div className={classes.crumbs}>
        <AnchorLink to="/incidents" size="xs">
          {pages.incidents}
        </AnchorLink>
      </div>
      <Page title={incidents.report}>
        {mayEdit ? <NewForm /> : <EmptyState icon="ban" {...feedback.refused} />}
      </Page>
    </>
  );
}

/** Photos and documents follow on the page of the incident. */
function NewForm() {
  const texts = useTexts();
  const fleet = useFleet();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { history } = useRouter();
  const { vehicle } = newIncidentRoute.useSearch();
  const [vehicleId, setVehicleId] = useState(vehicle);
  const [values, setValues] = useState(emptyForm);
  const [damages, setDamages] = useState<IncidentDamage[]>([]);
  const [isEditing, setIsEditing] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const isDone = useRef(false);
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) =>
      fleet.incidents.create(id, draftOfForm(values, texts.incidentKinds, { damages })),
    onSuccess: async ({ id }, ofVehicle) => {
      isDone.current = true;
      notifyDone(texts.incident.reported);
      await navigate({
        to: '/incidents/$vehicleId/$incidentId',
        params: { vehicleId: ofVehicle, incidentId: id },
        replace: true,
      });
      await queries.invalidateQueries({ queryKey: queryKey('incident') });
    },
    onError: (error) => notifyProblem(error, texts),
  });
  const hasChanges = () =>
    !isDone.current &&
    (damages.length > 0 || isEditing || JSON.stringify(values) !== JSON.stringify(emptyForm));
  return (
    <>
      <IncidentForm
        isNew
        values={values}
        onChange={setValues}
        submit={texts.incidents.report}
        isPending={isPending}
        isBlocked={vehicleId === undefined || isEditing}
        obstacle={wasSent && isEditing ? texts.incident.damageIsOpen : undefined}
        onTry={() => setWasSent(true)}
        onSubmit={() => vehicleId && mutate(vehicleId)}
        onCancel={() => history.back()}
        beside={
          <DamagesPanel
            damages={damages}
            isPending={isPending}
            onChange={setDamages}
            onEditing={setIsEditing}
          />
        }
      >
        <VehiclePicker
          label={texts.incident.vehicle}
          value={vehicleId}
          onChange={setVehicleId}
          isRequired
          error={wasSent && vehicleId === undefined ? texts.forms.required : undefined}
        />
      </IncidentForm>
      <LeaveGuard hasChanges={hasChanges} />
    </>
  );
}
