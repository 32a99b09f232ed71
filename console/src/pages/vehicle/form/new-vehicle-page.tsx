import { Breadcrumbs } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { notifyDone } from '../../../feedback/notify.ts';
import { LeaveGuard } from '../../../forms/leave-guard.tsx';
import { Page } from '../../../frame/page.tsx';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useMay, useSession } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { plateOf } from '../../../values/vehicle-names.ts';
import { draftOfForm, emptyForm, type FormValues } from './form-values.ts';
import { useRefusals } from './refusals.tsx';
import { useAddVehicle } from './use-save-vehicle.ts';
import { useVehicleFields } from './use-vehicle-fields.ts';
import classes from './vehicle-form.module.css';
import { VehicleForm } from './vehicle-form.tsx';

export function NewVehiclePage() {
  const { pages, vehicleForm, feedback } = useTexts();
  const mayEdit = useMay('editor');
  return (
    <>
      <Breadcrumbs className={classes.crumbs}>
        <AnchorLink to="/vehicles" size="xs">
          {pages.vehicles}
        </AnchorLink>
      </Breadcrumbs>
      <Page title={vehicleForm.add}>
        {mayEdit ? <NewForm /> : <EmptyState icon="ban" {...feedback.refused} />}
      </Page>
    </>
  );
}

function NewForm() {
  const { vehicleForm: texts } = useTexts();
  const { provider } = useSession();
  const navigate = useNavigate();
  const { history } = useRouter();
  const prefix = `${provider.replace('-', '*')}*`;
  const idOf = (code: string) => prefix + code;
  const fields = useVehicleFields(emptyForm, true);
  const [sent, setSent] = useState<FormValues>();
  const isDone = useRef(false);
  const { add, isPending, error } = useAddVehicle((vehicle) => {
    isDone.current = true;
    notifyDone(texts.added(plateOf(vehicle)));
    void navigate({
      to: '/vehicles/$vehicleId',
      params: { vehicleId: vehicle.asset.id },
      replace: true,
    });
  });
  const { values } = fields;
  return (
    <>
      <VehicleForm
        fields={fields}
        prefix={prefix}
        submit={texts.add}
        isPending={isPending}
        error={error}
        refusals={useRefusals(error, sent, values, idOf)}
        onSubmit={() => {
          setSent(values);
          add(idOf(values.code), draftOfForm(values));
        }}
        onCancel={() => history.back()}
      />
      <LeaveGuard hasChanges={() => !isDone.current && fields.isDirty} />
    </>
  );
}
