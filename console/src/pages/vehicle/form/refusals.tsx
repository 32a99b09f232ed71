import { ProblemError } from '@motorpool/client';
import type { ReactNode } from 'react';
import { refusalOf } from '../../../forms/use-form.ts';
import { AnchorLink } from '../../../layout/anchor-link.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import type { FormValues } from './form-values.ts';
import { draftFields } from './vehicle-draft.ts';

/** What the service has said about a field. */
export type Refusals = Partial<Record<keyof FormValues, ReactNode>>;

/** Of a try that was refused, while the values that it sent are still in the form. */
export function useRefusals(
  error: unknown,
  sent: FormValues | undefined,
  values: FormValues,
  idOf: (code: string) => string,
): Refusals {
  const { vehicleForm: texts } = useTexts();
  if (!(error instanceof ProblemError) || !sent) return {};
  const refused: Refusals = Object.fromEntries(
    draftFields.map((field) => [field, refusalOf(error, `/information/${field}`)]),
  );
  if (error.kind === 'exists-already')
    refused.code = (
      <>
        {texts.idTaken}{' '}
        <AnchorLink
          to="/vehicles/$vehicleId"
          params={{ vehicleId: idOf(sent.code) }}
          inherit
          underline="always"
        >
          {texts.openTaken}
        </AnchorLink>
      </>
    );
  if (error.kind === 'vin-taken')
    refused.vin = (
      <>
        {texts.vinTaken}{' '}
        <AnchorLink to="/vehicles" search={{ q: sent.vin.trim() }} inherit underline="always">
          {texts.findTaken}
        </AnchorLink>
      </>
    );
  const current = Object.entries(refused).filter(
    ([field]) => values[field as keyof FormValues] === sent[field as keyof FormValues],
  );
  return Object.fromEntries(current);
}
