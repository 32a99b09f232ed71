import Type from 'typebox';

/** A field that a client got from us and may send back: accepted whatever it holds, and ignored. */
export const readOnly = Type.Optional(
  Type.Unknown({
    description: 'Accepted, so that what was read can be sent back, and ignored.',
    readOnly: true,
  }),
);
