import { feedback } from './feedback.ts';
import { fields } from './fields.ts';
import { forms } from './forms.ts';
import { frame } from './frame.ts';
import { incident } from './incident.ts';
import { incidents } from './incidents.ts';
import { invoices } from './invoices.ts';
import { maintenance } from './maintenance.ts';
import { map } from './map.ts';
import { overview } from './overview.ts';
import { settings } from './settings.ts';
import { table } from './table.ts';
import { tour } from './tour.ts';
import { vehicle } from './vehicle.ts';
import { vehicleForm } from './vehicle-form.ts';
import { vehicleRecords } from './vehicle-records.ts';
import { vehicles } from './vehicles.ts';
import { views } from './views.ts';

/** The texts by which every other language is checked. */
export const en = {
  ...frame,
  ...feedback,
  ...fields,
  ...forms,
  ...invoices,
  ...incident,
  ...incidents,
  ...maintenance,
  ...map,
  ...overview,
  ...settings,
  ...table,
  ...tour,
  ...vehicle,
  ...vehicleForm,
  ...vehicleRecords,
  ...vehicles,
  ...views,
};
