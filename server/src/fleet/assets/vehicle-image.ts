import Type, { type Static } from 'typebox';
import { Problem } from '../../platform/http/problem.ts';

/** Widths that are made of an image besides the whole, in pixels. */
export const imageWidths = [320, 640, 1280] as const;

/** The longer side of the whole image at most. */
export const wholeSize = 1920;

export const imageLimitBytes = 20 * 1_048_576;

/** What was uploaded, as it is kept. */
export const VehicleImageSchema = Type.Object(
  {
    blobUuid: Type.String({
      format: 'uuid',
      description:
        'Names the image, also in the asset of the vehicle; another one after each upload.',
      examples: ['3f2b8c1e-5d4a-4b6f-9a7e-0c1d2e3f4a5b'],
    }),
    width: Type.Integer({ description: 'Pixels of the whole image, upright.', examples: [1920] }),
    height: Type.Integer({ description: 'Pixels of the whole image, upright.', examples: [1440] }),
  },
  { $id: 'VehicleImage', additionalProperties: false },
);
export type VehicleImage = Static<typeof VehicleImageSchema>;

export const exampleVehicleImage: VehicleImage = {
  blobUuid: '3f2b8c1e-5d4a-4b6f-9a7e-0c1d2e3f4a5b',
  width: 1920,
  height: 1440,
};

/** An image has a representation in each format, and each of these an ETag of its own. */
export function imageEtag(uuid: string, format: string): string {
  return `"${uuid}.${format}"`;
}

/**
 * Throws 412 unless If-Match, if present, names the image in any of its formats, and unless there is none where
 * If-None-Match says so.
 */
export function requireImageConditions(
  header: (name: string) => string | undefined,
  uuid: string | undefined,
): void {
  const ifMatch = header('if-match');
  if (ifMatch !== undefined && !names(ifMatch, uuid)) {
    const state = uuid === undefined ? 'there is no image' : 'the image is another one now';
    throw new Problem(412, 'changed-meanwhile', 'It has changed meanwhile', {
      detail: `If-Match says ${ifMatch.slice(0, 100)}, and ${state}: read it again.`,
    });
  }
  const ifNoneMatch = header('if-none-match');
  if (ifNoneMatch !== undefined && names(ifNoneMatch, uuid)) {
    throw new Problem(412, 'exists-already', 'It exists already', {
      detail: `If-None-Match says ${ifNoneMatch.slice(0, 100)}, and the vehicle has that image.`,
    });
  }
}

function names(header: string, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim());
  return tags.includes('*') || tags.some((tag) => tag.startsWith(`"${uuid}.`));
}

export const imageConditionHeaders = {
  'If-Match': 'The ETag as it was read: 412 when it has changed since.',
};
