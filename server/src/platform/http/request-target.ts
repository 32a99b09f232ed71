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

/** Whether a request names several hosts, of which a proxy in front may have read another (RFC 9112, 3.2). */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}
