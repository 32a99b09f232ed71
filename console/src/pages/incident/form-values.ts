import type { Customer, Incident } from '@motorpool/client';
import { isIncomplete, isNoCustomer, noCustomer } from '../../forms/customer.ts';
import type { Draft } from './incident-draft.ts';
import { shownKind, storedKind } from './kind-names.ts';

type Kinds = Readonly<Record<string, string>>;

/** An incident as its form has it: texts, and the time as an input has it. */
export type FormValues = {
  title: string;
  happened: string;
  location: string;
  kind: string;
  vehicleOperable: boolean;
  description: string;
  cause: string;
  notes: string;
  customer: Customer;
  isResolved: boolean;
};

export const emptyForm: FormValues = {
  title: '',
  happened: '',
  location: '',
  kind: '',
  vehicleOperable: true,
  description: '',
  cause: '',
  notes: '',
  customer: noCustomer,
  isResolved: false,
};

export function formValuesOf(incident: Incident, kinds: Kinds): FormValues {
  const { title, location = '', incidentType = '', description = '', cause = '' } = incident;
  const { notes = '', vehicleOperable, isResolved, incidentTimestamp } = incident;
  const { customer = noCustomer } = incident;
  return {
    title,
    happened: incidentTimestamp ? localTime(new Date(incidentTimestamp)) : '',
    location,
    kind: shownKind(incidentType, kinds),
    vehicleOperable,
    description,
    cause,
    notes,
    customer,
    isResolved,
  };
}

/** What the form cannot show, such as the damages, is that of `rest`. */
export function draftOfForm(values: FormValues, kinds: Kinds, rest: Partial<Draft> = {}): Draft {
  const { happened, kind, title, vehicleOperable, isResolved, customer } = values;
  const texts = (['location', 'description', 'cause', 'notes'] as const).map((field) => [
    field,
    values[field].trim(),
  ]);
  const filled = Object.fromEntries(texts.filter(([, text]) => text !== ''));
  const { damages, incidentTimestamp } = rest;
  const isSameMinute = incidentTimestamp && localTime(new Date(incidentTimestamp)) === happened;
  return {
    title: title.trim(),
    vehicleOperable,
    isResolved,
    ...(happened !== '' && {
      // An input has no seconds, which the incident may have.
      incidentTimestamp: isSameMinute ? incidentTimestamp : new Date(happened).toISOString(),
    }),
    ...filled,
    ...(kind.trim() !== '' && { incidentType: storedKind(kind, kinds) }),
    ...(damages && { damages }),
    ...(!isNoCustomer(customer) && { customer }),
  };
}

export type FormIssue = 'required' | 'tooLong' | 'future' | 'noTime' | 'noCustomer';

const maxLength = 10_000;

export function formIssues(
  values: FormValues,
  now: number,
): Partial<Record<keyof FormValues, FormIssue>> {
  const tooLong = Object.entries(values).filter(
    ([, value]) => typeof value === 'string' && value.length > maxLength,
  );
  const time = new Date(values.happened).getTime();
  return {
    ...Object.fromEntries(tooLong.map(([field]) => [field, 'tooLong' as const])),
    ...(values.title.trim() === '' && { title: 'required' as const }),
    ...(values.happened !== '' &&
      (Number.isNaN(time)
        ? { happened: 'noTime' as const }
        : time > now && { happened: 'future' as const })),
    ...(!isNoCustomer(values.customer) &&
      isIncomplete(values.customer) && { customer: 'noCustomer' as const }),
  };
}

/** As an input of type datetime-local has it, by the clock of the person. */
function localTime(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
