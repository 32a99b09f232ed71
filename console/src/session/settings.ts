/** What the service tells the console before anybody has signed in. */
export type Settings = {
  version: string;
  /** The address at which the console is used. */
  url: string;
  /** With `{realm}` in the place of the provider. */
  issuer: string;
  clientId: string;
  /** Of tokens that carry no role. */
  defaultRole?: string;
  /** Whether it shows the demo, and a tour of it. */
  isDemo: boolean;
  /** Of the operator: the address of a style, or the path of a file of tiles; the base map without either. */
  map?: { styleUrl?: string; tiles?: string };
};

export async function loadSettings(): Promise<Settings> {
  const response = await fetch('/console/settings.json');
  if (!response.ok) throw new Error(`/console/settings.json: ${response.status}`);
  return response.json();
}

const providerPattern = /^[A-Z]{2}-[A-Z0-9]{3}$/;

/** Country code and code, such as `DE-ABC`, from what somebody typed or from an address. */
export function parseProvider(text: string): string | undefined {
  const provider = text
    .trim()
    .toUpperCase()
    .replace(/[/*\s]/, '-');
  return providerPattern.test(provider) ? provider : undefined;
}

const rememberedKey = 'motorpool-providers';
const maxRemembered = 5;

/** The providers that were used in this browser, the last one first. */
export function rememberedProviders(): string[] {
  const stored = localStorage.getItem(rememberedKey)?.split(' ') ?? [];
  return stored.filter((provider) => providerPattern.test(provider));
}

export function rememberProvider(provider: string): void {
  const others = rememberedProviders().filter((one) => one !== provider);
  localStorage.setItem(rememberedKey, [provider, ...others].slice(0, maxRemembered).join(' '));
}
