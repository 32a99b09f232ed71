import { Breadcrumbs } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone } from '../../../feedback/notify.ts';
import { Problem } from '../../../feedback/problem.tsx';
import { Bone, Delayed } from '../../../feedback/skeleton.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx';
import { LeaveGuard } from '../../../forms/leave-guard.tsx';
import { Page } from '../../../frame/page.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useFleet, useMay } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { plateOf } from '../../../values/vehicle-names.ts';
import { editVehicleRoute } from '../route.ts';
import { draftOfForm, type FormValues, formValuesOf } from './form-values.ts';
import { useRefusals } from './refusals.tsx';
import { useSaveVehicle } from './use-save-vehicle.ts';
import { useVehicleFields } from './use-vehicle-fields.ts';
import { VehicleConflict } from './vehicle-conflict.tsx';
import { type Draft, draftOf, erasesPositions } from './vehicle-draft.ts';
import classes from './vehicle-form.module.css';
import { VehicleForm } from './vehicle-form.tsx';

export function EditVehiclePage() {
  const { pages, vehicleForm, feedback } = useTexts();
  const mayEdit = useMay('editor');
  const fleet = useFleet();
  const { vehicleId } = editVehicleRoute.useParams();
  const { data, error, refetch } = useQuery({
    // A copy of its own: that of the vehicle's page loses its version with every status that arrives.
    queryKey: queryKey('vehicle', 'form', vehicleId),
    queryFn: ({ signal }) => fleet.vehicles.get(vehicleId, { signal }),
    enabled: mayEdit,
    gcTime: 0,
  });
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/vehicles" size="xs">
          {pages.vehicles}
        </AnchorLink>
        <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }} size="xs">
          {data ? plateOf(data) : vehicleId}
        </AnchorLink>
      </Breadcrumbs>
      <Page title={vehicleForm.editTitle}>
        {!mayEdit ? (
          <EmptyState icon="ban" {...feedback.refused} />
        ) : error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <EditForm key={vehicleId} vehicle={data} />
        ) : (
          <Delayed>
            <Bone width="40%" />
          </Delayed>
        )}
      </Page>
    </>
  );
}

function EditForm({ vehicle }: { vehicle: Vehicle }) {
  const { vehicleForm: texts } = useTexts();
  const navigate = useNavigate();
  // What somebody else saves meanwhile is met when this is saved.
  const [base] = useState(vehicle);
  const [initial] = useState(() => formValuesOf(draftOf(base)));
  const fields = useVehicleFields(initial, false);
  const [sent, setSent] = useState<FormValues>();
  /** What would be saved, while somebody is asked whether positions may be deleted. */
  const [asked, setAsked] = useState<{ version: Vehicle; draft: Draft }>();
  const isDone = useRef(false);
  const leave = () =>
    void navigate({ to: '/vehicles/$vehicleId', params: { vehicleId: base.asset.id } });
  const { save, isPending, error, conflict, forgetConflict } = useSaveVehicle((saved) => {
    isDone.current = true;
    notifyDone(texts.saved(plateOf(saved)));
    leave();
  });
  const { values } = fields;
  const trySave = (version: Vehicle, draft: Draft) => {
    setSent(values);
    if (erasesPositions(draftOf(version), draft)) setAsked({ version, draft });
    else save(version, draft);
  };
  return (
    <>
      <VehicleForm
        fields={fields}
        submit={texts.save}
        isPending={isPending}
        error={error}
        refusals={useRefusals(error, sent, values, () => base.asset.id)}
        onSubmit={() => trySave(base, draftOfForm(values, draftOf(base)))}
        onCancel={leave}
      />
      <LeaveGuard hasChanges={() => !isDone.current && fields.isDirty} />
      {conflict && !asked && (
        <VehicleConflict
          conflict={conflict}
          isPending={isPending}
          onSave={(draft) => trySave(conflict.theirs, draft)}
          onTakeTheirs={() => {
            isDone.current = true;
            leave();
          }}
          onClose={forgetConflict}
        />
      )}
      {asked && (
        <ConfirmDialog
          title={texts.erase.title(plateOf(base))}
          text={texts.erase.text}
          confirm={texts.erase.confirm}
          isPending={isPending}
          onConfirm={() => {
            setAsked(undefined);
            save(asked.version, asked.draft);
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
