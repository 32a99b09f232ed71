export type Watcher = {
  /** Undefined of one that watches all. */
  vehicles: ReadonlySet<string> | undefined;
};

/** Those of the vehicles that anybody watches: looked up once, as there may be many of both. */
export function watchedVehicles(
  watchers: Iterable<Watcher>,
  vehicleIds: readonly string[],
): readonly string[] {
  const watched = new Set<string>();
  for (const { vehicles } of watchers) {
    if (!vehicles) return vehicleIds;
    for (const id of vehicles) watched.add(id);
  }
  return vehicleIds.filter((id) => watched.has(id));
}
