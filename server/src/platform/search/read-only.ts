import Type from 'typebox';

/** A field of the response that clients may send back: accepted with any value, and ignored. */
export const readOnly = Type.Optional(
  Type.Unknown({
    description: 'Accepted, so that what was read can be sent back, and ignored.',
    readOnly: true,
  }),
);
