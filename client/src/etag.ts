const eTags = new WeakMap<object, string>();

/**
 * The version of what a call has returned, to overwrite it only while it is still that one:
 *
 * ```ts
 * const vehicle = await fleet.vehicles.get(id);
 * await fleet.vehicles.put(id, { ...vehicle, asset: { ...vehicle.asset, active: false } }, {
 *   ifMatch: eTagOf(vehicle),
 * });
 * ```
 */
export const eTagOf = (result: object): string | undefined => eTags.get(result);

export function rememberETag(result: unknown, eTag: string | null): void {
  if (typeof result !== 'object' || result === null || eTag === null) return;
  // A proxy that compresses makes it weak, and If-Match compares strong ones.
  eTags.set(result, eTag.replace(/^W\//, ''));
}
