import { type Random, randomFor } from '../../../platform/random/random.ts';
import { workshopPaper } from '../../files/public.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';

type Damage = NonNullable<Incident['damages']>[number];

const bySeverity = { light: [120, 380], moderate: [380, 1_250], high: [1_250, 3_400] } as const;
const byType: Readonly<Record<string, readonly [number, number]>> = {
  chip: [80, 130],
  stain: [60, 140],
  'flat tyre': [140, 260],
  'broken glass': [220, 480],
};

const paneEuros = [480, 1_150] as const;

/** What a workshop asks for a damage, in whole euros. */
export function repairEuros(damage: Damage, random: Random): number {
  const { damageType = '', severity, position } = damage;
  const isPane = /windshield|window|sunroof/.test(position) && severity === 'high';
  const [from, to] = isPane ? paneEuros : (byType[damageType] ?? bySeverity[severity]);
  return random.integer(from, to);
}

/** What a workshop asks for the damages that are still there. */
export function estimate(vehicle: DemoVehicle, incident: Incident): Promise<Buffer> {
  const { id, title, reportTimestamp, damages = [] } = incident;
  const random = randomFor(`${id}/estimate`);
  const items = damages
    .filter(({ repaired }) => !repaired)
    .map((damage): [string, number] => [damage.title, repairEuros(damage, random) * 100]);
  const total = items.reduce((sum, [, cents]) => sum + cents, 0);
  return workshopPaper(vehicle, {
    title: 'Estimate',
    entryId: id,
    date: reportTimestamp.slice(0, 10),
    odometer: vehicle.odometerAt(Date.parse(reportTimestamp)),
    subject: `Incident: ${title}`,
    items: [...items, ['Total, VAT included', total]],
    remarks: ['Not binding. Valid for 30 days.'],
  });
}

/** What the driver, or whoever found it, has written down. */
export function statement({ information }: DemoVehicle, incident: Incident): Buffer {
  const { title, incidentTimestamp = '', location, cause, description, damages = [] } = incident;
  return Buffer.from(
    [
      `STATEMENT: ${title}`,
      '',
      `Vehicle   ${information.vendor} ${information.model}, ${information.licensePlate}`,
      `When      ${incidentTimestamp.slice(0, 16).replace('T', ' ')} UTC`,
      `Where     ${location}`,
      `Cause     ${cause}`,
      '',
      `${description}`,
      '',
      ...damages.map((damage) => `- ${damage.title} (${damage.severity})`),
      '',
    ].join('\n'),
  );
}
