/** Moves with every overwrite, and says nothing of it. */
const unnamed = new Set(['updatedAt']);

/** The dotted paths of what differs between two resources; arrays are compared as a whole. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (!isObject(before) || !isObject(after)) return isSame(before, after) ? [] : [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !unnamed.has(name))
    .flatMap((name) => changedPaths(before[name], after[name], path ? `${path}.${name}` : name));
}

/** As JSON. The states of an event can be large: to compare them takes a third of the time to serialize them. */
function isSame(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && before.every((item, at) => isSame(item, after[at]));
  }
  if (!isObject(before) || !isObject(after)) return before === after;
  for (const name in before) if (!isSame(before[name], after[name])) return false;
  for (const name in after) {
    if (!Object.hasOwn(before, name) && after[name] !== undefined) return false;
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
