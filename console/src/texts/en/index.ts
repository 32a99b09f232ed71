import { feedback } from './feedback.ts';
import { fields } from './fields.ts';
import { frame } from './frame.ts';
import { overview } from './overview.ts';
import { table } from './table.ts';
import { vehicle } from './vehicle.ts';
import { vehicles } from './vehicles.ts';

/** The texts by which every other language is checked. */
export const en = {
  ...frame,
  ...feedback,
  ...fields,
  ...overview,
  ...table,
  ...vehicle,
  ...vehicles,
};
