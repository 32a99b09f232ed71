import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { createFormats, type Formats } from '../formats/formats.ts';
import { type Language, rememberLanguage } from './languages.ts';
import { loadTexts, type Texts } from './texts.ts';

type Localization = {
  language: Language;
  texts: Texts;
  formats: Formats;
  choose(language: Language): Promise<void>;
};

const LocalizationContext = createContext<Localization | undefined>(undefined);

type Props = { initial: { language: Language; texts: Texts }; children: ReactNode };

export function TextsProvider({ initial, children }: Props) {
  const [{ language, texts }, setCurrent] = useState(initial);
  const choose = useCallback(async (next: Language) => {
    const nextTexts = await loadTexts(next);
    rememberLanguage(next);
    document.documentElement.lang = next;
    setCurrent({ language: next, texts: nextTexts });
  }, []);
  const value = useMemo(
    () => ({ language, texts, formats: createFormats(language, navigator.languages), choose }),
    [language, texts, choose],
  );
  return <LocalizationContext value={value}>{children}</LocalizationContext>;
}

export function useLocalization(): Localization {
  const value = use(LocalizationContext);
  if (!value) throw new Error('There is no TextsProvider');
  return value;
}

export const useTexts = (): Texts => useLocalization().texts;
export const useFormats = (): Formats => useLocalization().formats;
