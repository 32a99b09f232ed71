import type { Profile, ProfileRequest } from '@motorpool/client';
import type { Texts } from '../../../texts/texts.ts';

/** The profile as fields of text and numbers; an empty one is not set. */
export type ProfileValues = {
  name: string;
  legalForm: string;
  vatId: string;
  street: string;
  postalCode: string;
  city: string;
  region: string;
  countryCode: string;
  contactName: string;
  email: string;
  phone: string;
  timeZone: string;
  locale: string;
  currency: string;
  electricityPrice: number | '';
  usage: Profile['defaultUsage'];
  retentionDays: number | '';
  erasesPositions: boolean;
};

export function valuesOf(profile: Profile): ProfileValues {
  const { address = {}, contact = {} } = profile;
  return {
    name: profile.name,
    legalForm: profile.legalForm ?? '',
    vatId: profile.vatId ?? '',
    street: address.street ?? '',
    postalCode: address.postalCode ?? '',
    city: address.city ?? '',
    region: address.region ?? '',
    countryCode: address.countryCode ?? '',
    contactName: contact.name ?? '',
    email: contact.email ?? '',
    phone: contact.phone ?? '',
    timeZone: profile.timeZone,
    locale: profile.locale,
    currency: profile.currency,
    electricityPrice: profile.electricityPricePerKwh ?? '',
    usage: profile.defaultUsage,
    retentionDays: profile.positionRetentionDays ?? '',
    erasesPositions: profile.erasePositionsWithCustomer,
  };
}

/** The whole profile: what the form does not have stays as it was. */
export function requestOf(profile: Profile, values: ProfileValues): ProfileRequest {
  const { street, postalCode, city, region, countryCode } = values;
  const address = filled({ street, postalCode, city, region, countryCode });
  const contact = filled({ name: values.contactName, email: values.email, phone: values.phone });
  const { defaultVehicleClass } = profile;
  return {
    name: values.name.trim(),
    ...filled({ legalForm: values.legalForm, vatId: values.vatId }),
    ...(Object.keys(address).length > 0 && { address }),
    ...(Object.keys(contact).length > 0 && { contact }),
    ...filled({ timeZone: values.timeZone, locale: values.locale, currency: values.currency }),
    ...(defaultVehicleClass !== undefined && { defaultVehicleClass }),
    ...(values.electricityPrice !== '' && { electricityPricePerKwh: values.electricityPrice }),
    ...(values.retentionDays !== '' && { positionRetentionDays: values.retentionDays }),
    defaultUsage: values.usage,
    erasePositionsWithCustomer: values.erasesPositions,
  };
}

function filled<Name extends string>(texts: Record<Name, string>): Partial<Record<Name, string>> {
  return Object.fromEntries(
    Object.entries<string>(texts)
      .map(([name, text]) => [name, text.trim()])
      .filter(([, text]) => text !== ''),
  ) as Partial<Record<Name, string>>;
}

export function profileErrors({ name, email, countryCode }: ProfileValues, texts: Texts) {
  return {
    name: name.trim() === '' ? texts.forms.required : undefined,
    email: email && !/^[^\s@]+@[^\s@]+$/.test(email) ? texts.people.badEmail : undefined,
    countryCode:
      countryCode && !/^[A-Z]{2}$/.test(countryCode) ? texts.profile.countryHelp : undefined,
  };
}
