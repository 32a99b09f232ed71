/** The introduction of the OpenAPI document. */
export const documentInfo = {
  contact: { name: 'The operator of this service' },
  description: `Every operation belongs to one asset provider, named by the two codes in the path, and takes a bearer token that was issued in the realm of that provider.

Operations marked \`x-motorpool-origin: interface\` are the published fleet interface; those marked \`motorpool\` complete its life cycles in the same style.

**Checks** come in this order: the bearer token (401), the codes of the path (400), the token's provider (403), the type and size of the body (415, 413), the body (400), what the path names (404).

**Errors** are \`application/problem+json\` (RFC 9457) and name every issue of the request.

**Lists and searches.** A search is a \`POST\` whose body has \`filters\`, \`sorting\` and \`pagination\`, each of which may be left out; a \`GET\` list takes \`pageNumber\`, \`pageSize\` and, where it has them, plain parameters that name a value of a field. \`pageNumber\` begins at 0, and \`pageSize\` is 1 to 1,000, 100 when left out. Both answer \`items\` and \`pagination\`, which has \`pageNumber\`, \`pageSize\` and \`totalEntries\`: the last page is reached when \`(pageNumber + 1) * pageSize\` is not less than \`totalEntries\`. The order is always total, and a page past the end is empty.

**Changes.** What can be read and overwritten has an \`ETag\`: sent back in \`If-Match\`, it keeps a client from overwriting what it has not seen (412). Every search can filter and sort by \`updatedAt\`, to ask what has changed since.

**Units**: odometer, reach and nextServiceDistance in km (nextServiceDistance is negative when the service is overdue); fuelLevel and states of charge in percent, 0 to 100; tyre pressures in bar; evBatteryCapacity in kWh; iceTankCapacity in litres. Times are UTC. A value that is not known is absent.

**Null** in an optional property of a body means that the property is absent, so that an overwrite clears it; in a required one it is an error.`,
};

export const authorizationTag = {
  name: 'Authorization',
  description:
    'The token that every other operation asks for, and what clients of OpenID Connect and Keycloak read of it. Discovery is at `/realms/{realm}/.well-known/openid-configuration`.',
};

/** What the page at / leads to. */
export const homeLinks = [
  {
    name: 'console',
    path: '/console',
    title: 'Console',
    description: 'See and manage the fleet in the browser.',
  },
  {
    name: 'reference',
    path: '/docs',
    title: 'Reference',
    description: 'Read about every operation, and try it.',
  },
  {
    name: 'openapi',
    path: '/openapi.json',
    title: 'OpenAPI',
    description: 'Generate clients, and import it into tools.',
  },
  {
    name: 'health',
    path: '/health/ready',
    title: 'Health',
    description: 'Whether the service is ready for requests.',
  },
];
