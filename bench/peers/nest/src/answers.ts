import type { ChargingSession, Incident, IncidentDamage, Vehicle } from './entities.js';
import type { PageRequest } from './requests.js';

/** Unknown values are absent. */
function known<Shape extends object>(shape: Shape): Partial<Shape> {
  return Object.fromEntries(
    Object.entries(shape).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<Shape>;
}

export function pageAnswer(items: object[], page: PageRequest, totalEntries: number) {
  return {
    items,
    pagination: { pageNumber: page.pageNumber, pageSize: page.pageSize, totalEntries },
  };
}

export function vehicleAnswer(vehicle: Vehicle) {
  const { provider, id, blobUuid, defaultImage, active, status, ...information } = vehicle;
  const [assetProviderCountryCode, assetProviderCode] = provider.split('-');
  const { provider: _, vehicleId: __, lat, lng, ...signals } = status ?? {};
  return {
    asset: known({
      id,
      assetProviderCountryCode,
      assetProviderCode,
      blobUuid,
      defaultImage,
      active,
    }),
    information: known(information),
    status: known({ ...signals, location: typeof lat === 'number' ? { lat, lng } : null }),
  };
}

export function sessionAnswer(session: ChargingSession) {
  const { lat, lng } = session;
  return known({
    id: session.id,
    fromDatetime: session.fromTime,
    fromSoC: session.fromLevel,
    toDatetime: session.toTime,
    toSoC: session.toLevel,
    location: lat === null ? null : { latitude: lat, longitude: lng },
    chargedKWh: session.chargedKwh,
  });
}

export function incidentAnswer(incident: Incident, damages: Partial<IncidentDamage>[]) {
  const { customerCountryCode, customerProviderCode, customerId } = incident;
  const { provider: _, vehicleId: __, version: ___, ...rest } = incident;
  return known({
    ...rest,
    customerCountryCode: null,
    customerProviderCode: null,
    customerId: null,
    customer: customerId && {
      mobilityProviderCountryCode: customerCountryCode,
      mobilityProviderCode: customerProviderCode,
      customerId,
    },
    damages:
      damages.length > 0
        ? damages.map(({ title, damageType, severity, repaired, position }) => ({
            title,
            damageType,
            severity,
            repaired,
            position,
          }))
        : null,
  });
}
