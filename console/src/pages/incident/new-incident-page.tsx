import { Stack } from '@mantine/core';
import type { IncidentDamage } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone, notifyProblem } from '../../feedback/notify.ts';
import { ChosenFiles } from '../../files/chosen-files.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { LeaveGuard } from '../../forms/leave-guard.tsx';
import { VehiclePicker } from '../../forms/vehicle-picker.tsx';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { DamagesPanel } from './damages-panel.tsx';
import { draftOfForm, emptyForm } from './form-values.ts';
import { IncidentForm } from './incident-form.tsx';
import classes from './incident-page.module.css';
import { newIncidentRoute } from './route.ts';
import { uploadIncidentFile } from './upload-incident-file.ts';

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
  const [files, setFiles] = useState<File[]>([]);
  const [isEditing, setIsEditing] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const isDone = useRef(false);
  const { mutate, isPending } = useMutation({
    mutationFn: async (ofVehicle: string) => {
      const draft = draftOfForm(values, texts.incidentKinds, { damages });
      const { id } = await fleet.incidents.create(ofVehicle, draft);
      return { id, failed: await upload(ofVehicle, id) };
    },
    onSuccess: async ({ id, failed }, ofVehicle) => {
      isDone.current = true;
      notifyDone(texts.incident.reported);
      for (const reason of failed) notifyProblem(reason, texts);
      await navigate({
        to: '/incidents/$vehicleId/$incidentId',
        params: { vehicleId: ofVehicle, incidentId: id },
        replace: true,
      });
      await queries.invalidateQueries({ queryKey: queryKey('incident') });
    },
    onError: (error) => notifyProblem(error, texts),
  });
  /** The incident is reported by then: of files that fail, the others stay. */
  const upload = async (ofVehicle: string, id: string): Promise<unknown[]> => {
    const failed: unknown[] = [];
    for (const file of files) {
      await uploadIncidentFile(fleet, ofVehicle, id, file).catch((reason) => failed.push(reason));
    }
    return failed;
  };
  const hasChanges = () =>
    !isDone.current &&
    (damages.length + files.length > 0 ||
      isEditing ||
      JSON.stringify(values) !== JSON.stringify(emptyForm));
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
          <Stack gap="md">
            <DamagesPanel
              damages={damages}
              isPending={isPending}
              onChange={(next, onDecided) => {
                setDamages(next);
                onDecided?.('mine');
              }}
              onEditing={setIsEditing}
            />
            <Panel title={texts.incident.files} count={files.length}>
              <ChosenFiles drop={texts.incident.drop} files={files} onChange={setFiles} />
            </Panel>
          </Stack>
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
