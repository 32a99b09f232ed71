/** The path and query of a target that names a host, as for proxies: which one it is, is of no account here. */
export function originForm(target: string): string {
  const url = target.startsWith('/') ? null : URL.parse(target);
  return url ? `${url.pathname}${url.search}` : target;
}

/** The path as routes are found by it; undefined for one that is not properly encoded. */
export function decodedPath(target: string): string | undefined {
  const [path = ''] = originForm(target).split('?', 1);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
