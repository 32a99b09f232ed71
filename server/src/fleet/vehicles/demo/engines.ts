import type { Model } from './models.ts';

/** A belt is due by distance and, where the maker says so, by age; engines without one have a chain. */
type TimingBelt = { km: number; years?: number };
type Engine = { ccm: number; belt?: TimingBelt };
type Row = readonly [names: RegExp, ccm: number, belt?: TimingBelt];

const vwBelt = { km: 210_000 };
const blueHdiBelt = { km: 150_000, years: 10 };

/** By make, model and variant; the first that matches counts. */
const engines: readonly Row[] = [
  [/PureTech (83|130)|Corsa 1\.2/, 1199, { km: 100_000, years: 6 }],
  [/Combo Cargo|Partner|Berlingo|308 SW|Astra .*1\.5|Focus .*1\.5/, 1499, blueHdiBelt],
  [/Jumpy|Proace 2\.0/, 1997, { km: 160_000, years: 10 }],
  [/Transit/, 1995, { km: 160_000, years: 10 }],
  [/Duster/, 1461, { km: 150_000, years: 6 }],
  [/Ducato/, 2184, { km: 180_000, years: 10 }],
  [/Volvo/, 1969, { km: 150_000, years: 10 }],
  [/1\.6 TDI/, 1598, vwBelt],
  [/TDI/, 1968, vwBelt],
  [/GTE|iV Style|1\.4 e-Hybrid|TFSI e/, 1395, { km: 240_000 }],
  [/eHybrid|iV 1\.5|1\.5 TSI/, 1498, { km: 240_000 }],
  [/1\.0 TSI/, 999, { km: 240_000 }],
  [/BMW 3er 330e/, 1998],
  [/BMW/, 1995],
  [/A-Klasse|Qashqai/, 1332],
  [/C 300 de|220 d/, 1993],
  [/Vito|Sprinter/, 1950],
  [/Kuga/, 2488],
  [/RAV4/, 2487],
  [/Corolla/, 1798],
  [/Yaris/, 1490],
  [/Captur|Clio|3008|Tucson/, 1598],
  [/Kia (Ceed|Niro)/, 1580],
  [/Astra .*1\.6/, 1598],
  [/Puma|Panda|Sandero/, 999],
  [/i30/, 998],
  [/Trafic/, 1997],
  [/Master/, 2299],
  [/Daily/, 2287],
];

/** What drives a model besides its battery; nothing where it has no tank. */
export function engineOf({ vendor, model, variant, tankLitres }: Model): Engine | undefined {
  if (tankLitres === undefined) return undefined;
  const name = `${vendor} ${model} ${variant}`;
  const row = engines.find(([names]) => names.test(name));
  if (!row) throw new RangeError(`The engine of ${name} is not known`);
  const [, ccm, belt] = row;
  return { ccm, ...(belt && { belt }) };
}

export function burnsDiesel({ drive, variant }: Model): boolean {
  return drive === 'diesel' || / de( |$)/.test(variant);
}
