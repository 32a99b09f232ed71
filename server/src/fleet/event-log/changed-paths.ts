/** Moves with every overwrite, and says nothing of it. */
const unnamed = new Set(['updatedAt']);

/** The dotted paths of what differs between two resources; arrays are compared as a whole. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (!isObject(before) || !isObject(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !unnamed.has(name))
    .flatMap((name) => changedPaths(before[name], after[name], path ? `${path}.${name}` : name));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
