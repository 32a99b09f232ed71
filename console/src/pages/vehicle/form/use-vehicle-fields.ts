import type { Formats } from '../../../formats/formats.ts';
import { useForm } from '../../../forms/use-form.ts';
import { useLocalization } from '../../../texts/texts-provider.tsx';
import { bounds, type FormIssue, type FormValues, formIssues } from './form-values.ts';

export type VehicleFields = ReturnType<typeof useVehicleFields>;

/** The values of the form, checked as one types by the rules of the interface. */
export function useVehicleFields(initial: FormValues, isNew: boolean) {
  const { texts, formats } = useLocalization();
  const { issues } = texts.vehicleForm;
  const textOf = (field: string, issue: FormIssue) =>
    issue === 'outOfBounds'
      ? texts.forms.outOfBounds(...shownBounds(field as keyof typeof bounds, formats))
      : issues[issue];
  return useForm<FormValues>(initial, (values) =>
    Object.fromEntries(
      Object.entries(formIssues(values, isNew)).map(([field, issue]) => [
        field,
        textOf(field, issue),
      ]),
    ),
  );
}

function shownBounds(
  field: keyof typeof bounds,
  formats: Formats,
): [minimum: string, maximum: string | undefined] {
  const { minimum, maximum } = bounds[field];
  // A year has no separators.
  const shown = field === 'buildYear' ? String : formats.number;
  return [shown(minimum), maximum === undefined ? undefined : shown(maximum)];
}
