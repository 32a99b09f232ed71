type Drive = 'petrol' | 'diesel' | 'electric';

export type Model = {
  vendor: string;
  model: string;
  variant: string;
  /** World manufacturer identifier, the first three characters of a VIN. */
  wmi: string;
  drive: Drive;
  /** Weight among all vehicles; the variants of a model have equal shares. */
  share: number;
};

type Range = {
  vendor: string;
  wmi: string;
  engines: Partial<Record<Drive, readonly string[]>>;
  trims: readonly string[];
  /** Vehicles per thousand, and their drives. */
  models: Record<string, readonly [share: number, ...drives: Drive[]]>;
};

/** Models of about one vehicle in fifteen each, for searches by a common text. */
export const commonModels = ['Golf', 'Octavia', 'Corsa', 'Sprinter', 'Kangoo'] as const;
const common = 66;

const ranges: readonly Range[] = [
  {
    vendor: 'VW',
    wmi: 'WVW',
    engines: {
      petrol: ['1.0 TSI', '1.5 eTSI'],
      diesel: ['2.0 TDI'],
      electric: ['Pro 59 kWh', 'Pro S 77 kWh', 'GTX 79 kWh'],
    },
    trims: ['Life', 'Style', 'Move', 'R-Line'],
    models: {
      Golf: [common, 'petrol', 'diesel'],
      Polo: [36, 'petrol'],
      Passat: [46, 'petrol', 'diesel'],
      Caddy: [24, 'petrol', 'diesel'],
      'ID.3': [34, 'electric'],
      'ID.4': [26, 'electric'],
      'ID. Buzz': [12, 'electric'],
    },
  },
  {
    vendor: 'Škoda',
    wmi: 'TMB',
    engines: { petrol: ['1.0 TSI', '1.5 TSI'], diesel: ['2.0 TDI'], electric: ['60', '85', '85x'] },
    trims: ['Essence', 'Selection', 'Sportline'],
    models: {
      Octavia: [common, 'petrol', 'diesel'],
      Fabia: [26, 'petrol'],
      Superb: [22, 'petrol', 'diesel'],
      Enyaq: [30, 'electric'],
      Elroq: [8, 'electric'],
    },
  },
  {
    vendor: 'Opel',
    wmi: 'W0V',
    engines: { petrol: ['1.2 Turbo'], diesel: ['1.5 Diesel'], electric: ['Electric 51 kWh'] },
    trims: ['Edition', 'GS', 'Ultimate'],
    models: {
      Corsa: [common, 'petrol', 'electric'],
      Astra: [24, 'petrol', 'diesel', 'electric'],
      Vivaro: [18, 'diesel', 'electric'],
    },
  },
  {
    vendor: 'Mercedes-Benz',
    wmi: 'W1K',
    engines: { petrol: ['180', '200'], diesel: ['315 CDI', '220 d'], electric: ['250+', '350'] },
    trims: ['Base', 'Pro', 'Select', 'AMG Line'],
    models: {
      Sprinter: [common, 'diesel', 'electric'],
      Vito: [20, 'diesel', 'electric'],
      'C-Klasse': [18, 'petrol', 'diesel'],
      EQA: [10, 'electric'],
    },
  },
  {
    vendor: 'Renault',
    wmi: 'VF1',
    engines: { petrol: ['TCe 90', 'TCe 130'], diesel: ['Blue dCi 95'], electric: ['EV45', 'EV60'] },
    trims: ['Evolution', 'Techno', 'Advance'],
    models: {
      Kangoo: [common, 'petrol', 'diesel', 'electric'],
      Clio: [34, 'petrol'],
      Zoe: [20, 'electric'],
      Megane: [14, 'electric'],
      Master: [12, 'diesel', 'electric'],
    },
  },
  {
    vendor: 'BMW',
    wmi: 'WBA',
    engines: { petrol: ['20i', '30i'], diesel: ['18d', '20d'], electric: ['eDrive40', 'xDrive30'] },
    trims: ['Basis', 'M Sport', 'Luxury Line'],
    models: {
      '3er Touring': [22, 'petrol', 'diesel'],
      X1: [14, 'petrol', 'diesel'],
      i4: [8, 'electric'],
      iX1: [8, 'electric'],
    },
  },
  {
    vendor: 'Ford',
    wmi: 'WF0',
    engines: { petrol: ['1.0 EcoBoost'], diesel: ['2.0 EcoBlue'], electric: ['89 kWh', '64 kWh'] },
    trims: ['Trend', 'Titanium', 'Active'],
    models: {
      Focus: [32, 'petrol', 'diesel'],
      Transit: [36, 'diesel', 'electric'],
      Explorer: [8, 'electric'],
    },
  },
  {
    vendor: 'Hyundai',
    wmi: 'TMA',
    engines: { petrol: ['1.0 T-GDI', '1.6 GDI Hybrid'], electric: ['48 kWh', '65 kWh'] },
    trims: ['Select', 'Trend', 'Prime'],
    models: { i30: [14, 'petrol'], Tucson: [12, 'petrol'], Kona: [16, 'petrol', 'electric'] },
  },
  {
    vendor: 'Tesla',
    wmi: 'LRW',
    engines: { electric: ['Rear-Wheel Drive', 'Long Range AWD', 'Performance'] },
    trims: ['2022', '2024', '2026'],
    models: { 'Model 3': [14, 'electric'], 'Model Y': [18, 'electric'] },
  },
  {
    vendor: 'Toyota',
    wmi: 'SB1',
    engines: { petrol: ['1.8 Hybrid', '2.0 Hybrid'], electric: ['57.7 kWh', '73.1 kWh'] },
    trims: ['Business', 'Team D', 'Lounge'],
    models: { Corolla: [18, 'petrol'], Yaris: [10, 'petrol'], bZ4X: [6, 'electric'] },
  },
];

/** Every variant of every model, a few hundred. */
export const models: readonly Model[] = ranges.flatMap(({ vendor, wmi, engines, trims, models }) =>
  Object.entries(models).flatMap(([model, [share, ...drives]]) => {
    const variants = drives.flatMap((drive) =>
      (engines[drive] ?? []).flatMap((engine) =>
        trims.map((trim) => ({ drive, variant: `${engine} ${trim}` })),
      ),
    );
    return variants.map((variant) => ({
      vendor,
      model,
      wmi,
      ...variant,
      share: share / variants.length,
    }));
  }),
);
