import Type, { type Static } from 'typebox';

export const maxFilenameLength = 200;

/** What a file is announced with, before its bytes are put. */
export const announcedFileProperties = {
  filename: Type.String({
    minLength: 1,
    maxLength: maxFilenameLength,
    pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    description: 'The name under which the file is saved again; without control characters.',
    examples: ['invoice.pdf'],
  }),
  contentType: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern:
        '^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*(; ?charset=[A-Za-z0-9_-]+)?$',
      default: 'application/octet-stream',
      description: 'A media type such as image/png, or text/plain; charset=utf-8.',
      examples: ['application/pdf'],
    }),
  ),
};

export const AnnouncedFileSchema = Type.Object(announcedFileProperties, {
  $id: 'AnnouncedFile',
  additionalProperties: false,
});
export type AnnouncedFile = Static<typeof AnnouncedFileSchema>;
