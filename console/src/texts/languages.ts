export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const storageKey = 'motorpool-language';

/** The one that was chosen, else the first of the browser's that there is. */
export function currentLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  const known = wanted.map((tag) => languages.find((language) => language === tag.split('-')[0]));
  return known.find((language) => language !== undefined) ?? 'en';
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}
