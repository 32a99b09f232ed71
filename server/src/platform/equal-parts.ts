/**
 * Whose are too many for one more of a tenant, once there are as many as the limit: its own if it has an equal part, whatever
 * others have, and everybody's if there are more tenants than parts.
 */
export function exceededBy(
  own: number,
  tenants: { others: number; limit: number },
): 'tenant' | 'all' | undefined {
  const { others, limit } = tenants;
  if (own >= Math.max(1, limit / (others + 1))) return 'tenant';
  return others + 1 > limit ? 'all' : undefined;
}
