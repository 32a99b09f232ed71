import { type Answer, send } from './http-client.ts';

export type Page = Answer & { url: string };

export type Browser = {
  /** Follows redirects up to the first one to another server. */
  visit(url: string): Promise<Page>;
  /** Submits the form of a page with its hidden fields and the typed ones. */
  submit(page: Page, typed: Record<string, string>): Promise<Page>;
  /** Submits a form, and returns what follows the redirects of its answer. */
  begin(page: Page, typed: Record<string, string>): Promise<() => Promise<Page>>;
  cookies(): Cookie[];
  setCookie(cookie: Cookie): void;
};

type Cookie = { name: string; value: string; path: string };

const maxRedirects = 10;

/** A browser with cookies, redirects and forms, without scripts. */
export function openBrowser(origin: string, sentHeaders: Record<string, string> = {}): Browser {
  const cookies = new Map<string, Cookie>();

  function cookiesFor(path: string): string {
    return [...cookies.values()]
      .filter((cookie) => path === cookie.path || path.startsWith(`${cookie.path}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  function storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(/; */);
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const path = /^path=(.*)$/i.exec(attributes.find((one) => /^path=/i.test(one)) ?? '')?.[1];
    const isExpired = attributes.some((one) => /^expires=Thu, 01 Jan 1970/i.test(one));
    const key = `${name} ${path}`;
    if (isExpired) cookies.delete(key);
    else cookies.set(key, { name, value, path: path ?? '/' });
  }

  async function load(url: URL, form?: Record<string, string>): Promise<Page> {
    const answer = await send(origin, {
      method: form ? 'POST' : 'GET',
      path: url.pathname + url.search,
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'user-agent': 'A browser',
        cookie: cookiesFor(url.pathname),
        ...sentHeaders,
        ...(form ? { origin, 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: form && new URLSearchParams(form).toString(),
    });
    for (const line of answer.headers['set-cookie'] ?? []) storeCookie(line);
    return { ...answer, url: url.href };
  }

  async function follow(first: Page): Promise<Page> {
    let page = first;
    for (let redirects = 0; page.headers.location !== undefined; redirects++) {
      if (redirects === maxRedirects) throw new Error(`${first.url} redirects for ever`);
      const next = new URL(String(page.headers.location), page.url);
      if (next.origin !== origin) return { ...page, url: next.href };
      page = await load(next);
    }
    return page;
  }

  function submit(page: Page, typed: Record<string, string>): Promise<Page> {
    const action = /<form[^>]*\saction="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const hidden = page.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
    return load(new URL(action, page.url), { ...fields, ...typed });
  }

  return {
    cookies: () => [...cookies.values()],
    setCookie: (cookie) => void cookies.set(`${cookie.name} ${cookie.path}`, cookie),
    visit: async (url) => follow(await load(new URL(url))),
    submit: async (page, typed) => follow(await submit(page, typed)),
    async begin(page, typed) {
      const first = await submit(page, typed);
      return () => follow(first);
    },
  };
}
