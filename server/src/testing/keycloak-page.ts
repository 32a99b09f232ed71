import { readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

export type KeycloakConfig = { url: string; realm: string; clientId: string };
export type WebServer = { port: number; close(): Promise<void> };

const library = readFileSync(createRequire(import.meta.url).resolve('keycloak-js'));

/** The files of an application that uses keycloak-js, by path. It begins when a test calls `start`. */
export function keycloakPage(
  config: KeycloakConfig,
): Record<string, { type: string; body: string }> {
  const page = `<!doctype html><title>App</title><script type="module">
import Keycloak from './keycloak.js';
window.start = async (options) => {
  const keycloak = new Keycloak(${JSON.stringify(config)});
  window.keycloak = keycloak;
  await keycloak.init({ redirectUri: location.origin + '/app/', checkLoginIframeInterval: 1, ...options });
  return keycloak.authenticated;
};
const begun = sessionStorage.getItem('options');
if (begun) window.started = window.start(JSON.parse(begun)).catch((error) => ({ error: error.error ?? error.message }));
window.isLoaded = true;
</script>`;
  return {
    '/app/': { type: 'text/html', body: page },
    '/app/keycloak.js': { type: 'text/javascript', body: library.toString() },
    '/app/silent.html': {
      type: 'text/html',
      body: '<!doctype html><script>parent.postMessage(location.href, location.origin)</script>',
    },
  };
}

/** Serves files on a free port of this machine, and forwards all else to a service, if there is one behind. */
export async function serveFiles(
  filesOf: () => Record<string, { type: string; body: string }>,
  behind: () => string | undefined = () => undefined,
): Promise<WebServer> {
  const server = createServer((incoming, response) => {
    const { url = '', method, headers } = incoming;
    const file = filesOf()[url.split('?', 1)[0] ?? ''];
    const service = behind();
    if (file) response.writeHead(200, { 'content-type': file.type }).end(file.body);
    else if (service === undefined) response.writeHead(404).end();
    else {
      const outgoing = request(`${service}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      incoming.pipe(outgoing);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
