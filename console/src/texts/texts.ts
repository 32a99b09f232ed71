import type { en } from './en/index.ts';
import type { Language } from './languages.ts';

/** The same keys in every language, and functions of the same values. */
type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Text]: Translated<Text[Key]> };

export type Texts = Translated<typeof en>;

export async function loadTexts(language: Language): Promise<Texts> {
  if (language === 'de') return (await import('./de/index.ts')).de;
  return (await import('./en/index.ts')).en;
}
