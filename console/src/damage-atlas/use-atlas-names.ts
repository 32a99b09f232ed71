import { useLocalization } from '../texts/texts-provider.tsx';
import { germanNames } from './names.de.ts';
import { englishNames } from './names.en.ts';
import type { AtlasNames } from './names.ts';

const names = { en: englishNames, de: germanNames };

export function useAtlasNames(): AtlasNames {
  return names[useLocalization().language];
}
