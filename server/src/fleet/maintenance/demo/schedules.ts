/** What a provider has done to its vehicles at regular intervals. */
export type Schedule = {
  title: string;
  type: 'service' | 'tyres' | 'other';
  intervalMonths?: number;
  intervalDistance?: number;
  calendarMonths?: readonly number[];
  reminderDays?: number;
  vendor?: string;
  model?: string;
  notes?: string;
};

const tesla: Schedule = {
  title: 'Service',
  type: 'service',
  intervalMonths: 24,
  intervalDistance: 30_000,
  vendor: 'Tesla',
  notes: 'These tell no service of their own.',
};

const germanSchedules: readonly Schedule[] = [
  { title: 'Seasonal tyre change', type: 'tyres', calendarMonths: [4, 10], reminderDays: 45 },
  {
    title: 'Safety check',
    type: 'other',
    intervalMonths: 12,
    notes: 'By a competent person, as the employers’ liability insurance asks for.',
  },
  { title: 'Brake fluid change', type: 'service', intervalMonths: 24, vendor: 'VW', model: 'ID.3' },
  tesla,
];

const frenchSchedules: readonly Schedule[] = [
  { title: 'Annual check', type: 'service', intervalMonths: 12, intervalDistance: 20_000 },
  tesla,
];

export function schedulesOf(country: string): readonly Schedule[] {
  return country === 'FR' ? frenchSchedules : germanSchedules;
}
