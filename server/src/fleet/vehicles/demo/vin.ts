import type { Random } from '../../../platform/random/random.ts';
import type { Model } from './models.ts';

const FIRST_CODED_YEAR = 2017;
const YEAR_CODES = 'HJKLMNPRST';

export function vin(model: Model, buildYear: number, random: Random): string {
  const code = YEAR_CODES.charAt(buildYear - FIRST_CODED_YEAR);
  const serial = String(random.integer(10_000, 899_999)).padStart(6, '0');
  return model.vinPattern.replace('_', code) + serial;
}
