import type { Draft } from './vehicle-draft.ts';

type TextField = 'licensePlate' | 'vin' | 'vendor' | 'model' | 'variant' | 'firstRegistrationDate';
type NumberField = 'seats' | 'buildYear' | 'evBatteryCapacity' | 'iceTankCapacity';

/** A vehicle as its form has it; what is empty is not known. */
export type FormValues = Record<TextField, string> &
  Record<NumberField, number | ''> & {
    /** What its id has after the codes of the provider. */
    code: string;
    active: boolean;
    trackGeolocation: boolean;
  };

const textFields: readonly TextField[] = [
  'licensePlate',
  'vin',
  'vendor',
  'model',
  'variant',
  'firstRegistrationDate',
];
const numberFields: readonly NumberField[] = [
  'seats',
  'buildYear',
  'evBatteryCapacity',
  'iceTankCapacity',
];

/** The rules of the interface, which the test compares with its document. */
export const maxTextLength = 200;
export const bounds: Record<NumberField, { minimum: number; maximum?: number }> = {
  seats: { minimum: 0, maximum: 1_000 },
  buildYear: { minimum: 1_800, maximum: 9_999 },
  evBatteryCapacity: { minimum: 0 },
  iceTankCapacity: { minimum: 0 },
};
const vehicleCode = /^[A-Za-z0-9._-]{1,64}$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

export function formValuesOf(draft: Draft, code = ''): FormValues {
  const texts = textFields.map((field) => [field, draft[field] ?? '']);
  const numbers = numberFields.map((field) => [field, draft[field] ?? '']);
  return {
    ...Object.fromEntries([...texts, ...numbers]),
    code,
    active: draft.active,
    // Positions are stored unless somebody has said otherwise.
    trackGeolocation: draft.trackGeolocation ?? true,
  };
}

export const emptyForm = formValuesOf({ active: true });

/** What nobody has touched stays as `base` has it, to the blank. */
export function draftOfForm(values: FormValues, base?: Draft): Draft {
  const texts = textFields.map((field) => [
    field,
    values[field] === base?.[field] ? base[field] : values[field].trim(),
  ]);
  const numbers = numberFields.map((field) => [field, values[field]]);
  const filled = [...texts, ...numbers].filter(([, value]) => value !== '');
  const { active, trackGeolocation } = values;
  const isUntold = base && base.trackGeolocation === undefined && trackGeolocation;
  return {
    ...Object.fromEntries(filled),
    active,
    ...(!isUntold && { trackGeolocation }),
  };
}

export type FormIssue = 'required' | 'noCode' | 'tooLong' | 'noDate' | 'outOfBounds';

/** Of an existing vehicle, whose id stays, the code is not checked. */
export function formIssues(
  values: FormValues,
  isNew: boolean,
): Partial<Record<keyof FormValues, FormIssue>> {
  const tooLong = textFields.filter((field) => values[field].trim().length > maxTextLength);
  const outside = numberFields.filter((field) => {
    const { minimum, maximum = Number.POSITIVE_INFINITY } = bounds[field];
    return values[field] !== '' && !(values[field] >= minimum && values[field] <= maximum);
  });
  const { code, firstRegistrationDate } = values;
  const isWrongDate = firstRegistrationDate !== '' && !day.test(firstRegistrationDate);
  return {
    ...Object.fromEntries(tooLong.map((field) => [field, 'tooLong' as const])),
    ...Object.fromEntries(outside.map((field) => [field, 'outOfBounds' as const])),
    ...(isWrongDate && { firstRegistrationDate: 'noDate' as const }),
    ...(isNew && code === '' && { code: 'required' as const }),
    ...(isNew && code !== '' && !vehicleCode.test(code) && { code: 'noCode' as const }),
  };
}

/** Of an id that is typed or pasted, with its codes or without them. */
export function codeOf(typed: string, prefix: string): string {
  const text = typed.trim();
  return text.toUpperCase().startsWith(prefix) ? text.slice(prefix.length) : text;
}

/** ISO 3779: 17 characters without those that look like digits. Older vehicles and trailers have others. */
export const isUsualVin = (vin: string): boolean =>
  /^[A-HJ-NPR-Z0-9]{17}$/i.test(vin.replaceAll(/\s/g, ''));
