import { Button, Checkbox, Select, Text, TextInput } from '@mantine/core';
import { eTagOf, ProblemError, type Profile } from '@motorpool/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { notifyDone } from '../../../feedback/notify.ts';
import { InlineProblem } from '../../../feedback/problem.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { FieldGroup, FormEnd, GroupedForm, wide } from '../../../forms/grouped-form.tsx';
import { NumberInput } from '../../../forms/number-input.tsx';
import { refusalOf, useForm } from '../../../forms/use-form.ts';
import { useFleet, useMay } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { type ProfileValues, profileErrors, requestOf, valuesOf } from './profile-values.ts';

const usages = ['private', 'rental', 'taxi'] as const;
const timeZones = Intl.supportedValuesOf('timeZone');
const currencies = Intl.supportedValuesOf('currency');

type Props = {
  profile: Profile;
  /** Told whether something is changed and not saved. */
  onDirty(isDirty: boolean): void;
  onReload(): void;
};

export function ProfileForm({ profile, onDirty, onReload }: Props) {
  const texts = useTexts();
  const { profile: words, settings, forms } = texts;
  const fleet = useFleet();
  const queries = useQueryClient();
  const mayEdit = useMay('admin');
  const form = useForm<ProfileValues>(valuesOf(profile), (values) => profileErrors(values, texts));
  const { values, set, text, isDirty } = form;
  const tellDirty = useEffectEvent(onDirty);
  useEffect(() => tellDirty(isDirty), [isDirty]);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => fleet.profile.put(requestOf(profile, values), { ifMatch: eTagOf(profile) }),
    onSuccess: (saved) => {
      queries.setQueryData(queryKey('profile', 'one'), saved);
      onDirty(false);
      notifyDone(settings.saved);
    },
  });
  useBlocker({
    shouldBlockFn: () => isDirty && !confirm(`${settings.unsaved} ${forms.discardQuestion}`),
    enableBeforeUnload: isDirty,
  });
  // What is typed while it is being saved would be replaced by what was.
  const isFixed = !mayEdit || isPending;
  const shared = { readOnly: isFixed };
  const isConflict = error instanceof ProblemError && error.status === 412;
  return (
    <GroupedForm refusal={error} onSubmit={() => !isPending && form.isValid() && mutate()}>
      <FieldGroup level={3} title={words.organisation}>
        <TextInput className={wide} label={settings.name} required {...text('name')} {...shared} />
        <TextInput label={words.legalForm} {...text('legalForm')} {...shared} />
        <TextInput
          label={words.vatId}
          {...text('vatId')}
          error={refusalOf(error, '/vatId')}
          {...shared}
        />
      </FieldGroup>
      <FieldGroup level={3} title={words.address}>
        <TextInput className={wide} label={words.street} {...text('street')} {...shared} />
        <TextInput label={words.postalCode} {...text('postalCode')} {...shared} />
        <TextInput label={words.city} {...text('city')} {...shared} />
        <TextInput label={words.region} {...text('region')} {...shared} />
        <TextInput
          label={words.country}
          maxLength={2}
          {...text('countryCode')}
          onChange={({ currentTarget }) => set({ countryCode: currentTarget.value.toUpperCase() })}
          {...shared}
        />
      </FieldGroup>
      <FieldGroup level={3} title={words.contact}>
        <TextInput
          className={wide}
          label={words.contactName}
          {...text('contactName')}
          {...shared}
        />
        <TextInput label={words.email} type="email" {...text('email')} {...shared} />
        <TextInput
          label={words.phone}
          type="tel"
          {...text('phone')}
          error={refusalOf(error, '/contact/phone')}
          {...shared}
        />
      </FieldGroup>
      <FieldGroup level={3} title={words.regional}>
        <Select
          className={wide}
          label={words.timeZone}
          description={words.timeZoneHelp}
          data={withCurrent(timeZones, values.timeZone)}
          value={values.timeZone}
          onChange={(timeZone) => timeZone && set({ timeZone })}
          searchable
          allowDeselect={false}
          {...shared}
        />
        <TextInput
          label={words.locale}
          {...text('locale')}
          error={refusalOf(error, '/locale')}
          {...shared}
        />
        <Select
          label={words.currency}
          data={withCurrent(currencies, values.currency)}
          value={values.currency}
          onChange={(currency) => currency && set({ currency })}
          searchable
          allowDeselect={false}
          {...shared}
        />
        <NumberInput
          label={words.electricityPrice}
          value={values.electricityPrice}
          onChange={(electricityPrice) => set({ electricityPrice })}
          decimals={4}
          min={0}
          unit={values.currency}
          {...shared}
        />
      </FieldGroup>
      <FieldGroup level={3} title={words.defaults}>
        <Select
          className={wide}
          label={words.usage}
          description={words.usageHelp}
          data={usages.map((value) => ({ value, label: words.usages[value] }))}
          value={values.usage}
          onChange={(usage) => usage && set({ usage: usage as ProfileValues['usage'] })}
          allowDeselect={false}
          {...shared}
        />
      </FieldGroup>
      <FieldGroup level={3} title={words.privacy}>
        <NumberInput
          className={wide}
          label={words.retention}
          description={words.retentionHelp}
          value={values.retentionDays}
          onChange={(retentionDays) => set({ retentionDays })}
          min={1}
          max={36_500}
          decimals={0}
          {...shared}
        />
        <Checkbox
          className={wide}
          size="xs"
          label={words.erase}
          description={words.eraseHelp}
          checked={values.erasesPositions}
          disabled={isFixed}
          onChange={({ currentTarget }) => set({ erasesPositions: currentTarget.checked })}
        />
      </FieldGroup>
      <FormEnd>
        {error && <InlineProblem error={error} />}
        {isConflict && (
          <Button variant="default" onClick={onReload}>
            {forms.reload}
          </Button>
        )}
        {mayEdit ? (
          <>
            <Button variant="subtle" onClick={form.reset} disabled={!isDirty || isPending}>
              {settings.reset}
            </Button>
            <Button type="submit" loading={isPending} disabled={!isDirty}>
              {settings.saveProfile}
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {settings.readOnly}
          </Text>
        )}
      </FormEnd>
    </GroupedForm>
  );
}

/** A list that also has what is set now. */
function withCurrent(known: readonly string[], current: string): string[] {
  return known.includes(current) ? [...known] : [current, ...known];
}
