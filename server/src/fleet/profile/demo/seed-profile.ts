import type { DemoContext } from '../../demo-context.ts';
import type { ProfileRequest } from '../profile.ts';
import { writeProfile } from '../profile-store.ts';

type Told = Omit<ProfileRequest, 'name'>;

const profiles: Record<DemoContext['extent'], Told> = {
  rich: {
    legalForm: 'GmbH',
    address: { street: 'Hafenstraße 12', postalCode: '20457', city: 'Hamburg', countryCode: 'DE' },
    contact: { name: 'Fuhrparkleitung', email: 'fuhrpark@example.com', phone: '+49 40 1234567' },
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    currency: 'EUR',
    vatId: 'DE123456789',
    defaultUsage: 'private',
    electricityPricePerKwh: 0.3149,
    positionRetentionDays: 365,
    erasePositionsWithCustomer: true,
  },
  small: {
    legalForm: 'SAS',
    address: {
      street: '8 quai du Port',
      postalCode: '13002',
      city: 'Marseille',
      countryCode: 'FR',
    },
    contact: { email: 'flotte@example.com' },
    timeZone: 'Europe/Paris',
    locale: 'fr-FR',
    currency: 'EUR',
    vatId: 'FR12345678901',
    electricityPricePerKwh: 0.2516,
  },
};

/** The provider has its name already. */
export async function seedProfile({ tx, provider, extent, clock }: DemoContext): Promise<void> {
  await writeProfile(tx, provider.id, profiles[extent], clock.now());
}
