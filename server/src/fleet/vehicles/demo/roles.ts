export type Role = 'pool' | 'sharing' | 'sales' | 'van' | 'large-van';

type RoleRules = {
  kind: 'car' | 'van';
  yearlyKm: readonly [min: number, max: number];
  /** Earliest year of registration: hard-driven vehicles leave the fleet sooner. */
  since: number;
  serviceKm: number;
  /** Bar, front and rear, for a combustion vehicle with its usual load. */
  tyres: readonly [front: number, rear: number];
};

export const roles: Record<Role, RoleRules> = {
  pool: {
    kind: 'car',
    yearlyKm: [8_000, 15_000],
    since: 2018,
    serviceKm: 30_000,
    tyres: [2.4, 2.35],
  },
  sharing: {
    kind: 'car',
    yearlyKm: [12_000, 20_000],
    since: 2019,
    serviceKm: 30_000,
    tyres: [2.4, 2.4],
  },
  sales: {
    kind: 'car',
    yearlyKm: [25_000, 40_000],
    since: 2022,
    serviceKm: 30_000,
    tyres: [2.4, 2.6],
  },
  van: {
    kind: 'van',
    yearlyKm: [20_000, 35_000],
    since: 2020,
    serviceKm: 40_000,
    tyres: [2.9, 3.3],
  },
  'large-van': {
    kind: 'van',
    yearlyKm: [20_000, 35_000],
    since: 2020,
    serviceKm: 40_000,
    tyres: [3.4, 3.8],
  },
};
