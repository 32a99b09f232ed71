/**
 * In SQL: the km that a vehicle was driven between two instants, from the last odometer before, or the first one since,
 * to the last one; null where the history has no odometer of that time, or it went back.
 */
export function distanceDriven(at: {
  provider: string;
  vehicleId: string;
  from: string;
  to: string;
}): string {
  const reading = (condition: string, order: 'asc' | 'desc') => `(
    select h.odometer from vehicle_history h
    where h.provider = ${at.provider} and h.vehicle_id = ${at.vehicleId} and ${condition}
      and h.odometer is not null and h.odometer_confirmed is not false
    order by h.time ${order} limit 1
  )`;
  const within = `h.time >= ${at.from} and h.time < ${at.to}`;
  return `(
    select case when last >= first then last - first end
    from (
      select ${reading(within, 'desc')} as last,
        coalesce(${reading(`h.time < ${at.from}`, 'desc')}, ${reading(within, 'asc')}) as first
    ) odometers
  )`;
}
