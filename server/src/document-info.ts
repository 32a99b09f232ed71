/** The introduction of the OpenAPI document. */
export const documentInfo = {
  description: `Every operation belongs to one asset provider, named by the two codes in the path, and takes a bearer token that was issued in the realm of that provider.

Operations marked \`x-motorpool-origin: interface\` are the published fleet interface; those marked \`motorpool\` complete its life cycles in the same style.

**Checks** come in this order: the bearer token (401), the codes of the path (400), the token's provider (403), the type and size of the body (415, 413), the body (400), what the path names (404).

**Errors** are \`application/problem+json\` (RFC 9457) and name every issue of the request.

**Changes.** What can be read and overwritten has an \`ETag\`: sent back in \`If-Match\`, it keeps a client from overwriting what it has not seen (412). Every search and list can be filtered and sorted by \`updatedAt\`, to ask what has changed since.

**Units**: odometer, reach and nextServiceDistance in km (nextServiceDistance is negative when the service is overdue); fuelLevel and states of charge in percent, 0 to 100; tyre pressures in bar; evBatteryCapacity in kWh; iceTankCapacity in litres. Times are UTC. A value that is not known is absent.

**Null** in an optional property of a body means that the property is absent, so that an overwrite clears it; in a required one it is an error.`,
};

export const authorizationTag = {
  name: 'Authorization',
  description: 'The token that every other operation asks for.',
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
