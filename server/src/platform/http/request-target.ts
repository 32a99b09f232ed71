import type { IncomingMessage } from 'node:http';

/** The path and query of a target that names a host, as for proxies: which one it is, is of no account here. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const [start] = schemeAndHost.exec(target) ?? [];
  if (start === undefined) return target;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

// Without the parser of URLs, for which a host may take long.
const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

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

/** What is wrong with the host that a request names: of several, a proxy in front may have read another (RFC 9112, 3.2). */
export function hostIssue({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'The request has several Host headers.';
  return hosts === 0 && httpVersion === '1.1' ? 'The request has no Host header.' : undefined;
}
