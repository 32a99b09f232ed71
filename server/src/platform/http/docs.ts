import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { noSuchPath } from './problem.ts';
import { type KeptDocument, keptDocument, sendDocument } from './send-document.ts';

/** Swagger UI needs images in data URLs; nothing is loaded from other origins, and nothing is inline. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export type DocsOptions = {
  /** By which people sign in to the reference. */
  signInClient?: string | undefined;
  publicUrl: () => string;
};

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** What the reference needs of it, by name. */
const assets = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
  ['oauth2-redirect.html', 'text/html; charset=utf-8'],
  ['oauth2-redirect.js', 'text/javascript; charset=utf-8'],
]);

const loopback = new Set(['127.0.0.1', 'localhost']);

/** Serves the OpenAPI document, made on first use, and an interactive reference that works offline. */
export function registerDocs(
  app: FastifyInstance,
  describe: () => object,
  { signInClient = '', publicUrl }: DocsOptions,
): void {
  let document: KeptDocument | undefined;
  app.get('/openapi.json', async (request, reply) => {
    document ??= keptDocument('application/json; charset=utf-8', JSON.stringify(describe()));
    return sendDocument(request, reply, document);
  });
  app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', policy);
    });
    scope.get('/docs', async ({ hostname, url }, reply) => {
      // A sign-in begins and ends at one name of this machine, as its cookies do.
      const named = new URL(publicUrl()).hostname;
      const isOtherName = hostname !== named && loopback.has(hostname) && loopback.has(named);
      if (isOtherName) return reply.redirect(publicUrl() + url);
      return reply.type('text/html').send(page);
    });
    scope.get('/docs/reference.js', async (_request, reply) =>
      reply.type('text/javascript').send(script(signInClient)),
    );
    scope.get('/docs/reference.css', async (_request, reply) =>
      reply.type('text/css').send(styles),
    );
    const kept = new Map<string, KeptDocument>();
    scope.get<{ Params: { file: string } }>('/docs/assets/:file', async (request, reply) => {
      const { file } = request.params;
      const type = assets.get(file);
      if (type === undefined) throw noSuchPath();
      const asset = kept.get(file) ?? keptDocument(type, await readFile(join(swaggerUi, file)));
      kept.set(file, asset);
      return sendDocument(request, reply, asset);
    });
  });
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · Motorpool</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<form id="realm">
<strong>Motorpool</strong>
<a href="/docs/guides">Guides</a>
<span>
<label for="name">Realm</label>
<input id="name" name="realm" placeholder="DE-ABC" pattern="[A-Z]{2}-[A-Z0-9]{3}" required>
<button>Use</button>
</span>
</form>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

const styles = `body { margin: 0; }
#realm { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 1.25rem; background: #16202b; color: #fff; font: 1rem system-ui, sans-serif; }
#realm strong { margin-right: auto; }
#realm a { color: inherit; }
#realm span { white-space: nowrap; }
#realm input { width: 6rem; padding: .375rem .5rem; font: inherit; }
#realm button { padding: .375rem .75rem; font: inherit; }
`;

/**
 * The realm in the query string selects the token URLs and examples. Only what can be the name of one is used:
 * anything else could send the reader's secret to another site.
 */
const script = (
  signInClient: string,
) => `const sent = new URLSearchParams(location.search).get('realm') ?? '';
const isRealm = /^[A-Z]{2}-[A-Z0-9]{3}$/.test(sent);
const realm = isRealm ? sent : 'DE-ABC';
const [countryCode, code] = realm.split('-');
const examples = { assetProviderCountryCode: countryCode, assetProviderCode: code, realm };
if (isRealm) document.getElementById('name').value = realm;
// Earlier versions kept the client's secret here.
localStorage.removeItem('authorized');
fetch('/openapi.json').then((response) => response.json()).then((spec) => {
  for (const scheme of Object.values(spec.components.securitySchemes)) {
    const { flows } = scheme;
    // People first: they need not fill in anything.
    scheme.flows = { authorizationCode: flows.authorizationCode, ...flows };
    for (const flow of Object.values(flows)) {
      for (const name of ['authorizationUrl', 'tokenUrl']) {
        if (name in flow) flow[name] = location.origin + flow[name].replace('/realms/DE-ABC/', '/realms/' + realm + '/');
      }
    }
  }
  for (const parameter of Object.values(spec.components.parameters)) {
    if (parameter.name in examples) parameter.example = examples[parameter.name];
  }
  // The fields are filled in for people; a client has an id of its own.
  const signInConfigs = () => ({
    wrapComponents: {
      oauth2: (Original, { React }) => (props) => {
        const configs = props.authSelectors.getConfigs();
        const isOfClient = props.schema.get('flow') === 'clientCredentials';
        const getConfigs = () => (isOfClient ? { ...configs, clientId: '' } : configs);
        return React.createElement(Original, { ...props, authSelectors: { ...props.authSelectors, getConfigs } });
      },
    },
  });
  const reference = SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    plugins: [signInConfigs],
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: false,
    oauth2RedirectUrl: location.origin + '/docs/assets/oauth2-redirect.html',
  });
  reference.initOAuth({
    clientId: '${signInClient}',
    scopes: 'openid',
    usePkceWithAuthorizationCodeGrant: true,
  });
});
`;
