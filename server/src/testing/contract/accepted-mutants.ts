/** Conditions that may be dropped without anyone noticing, each with the reason; `text` is a part of its line. */
export const acceptedMutants: readonly { file: string; text: string; reason: string }[] = [];
