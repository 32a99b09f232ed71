import { Motorpool } from '@motorpool/client';
import { LiveEvents } from './fleet/live-events.ts';
import { watchStreams } from './fleet/stream-state.ts';
import type { Connection } from './session/connection.tsx';
import { Session } from './session/session.ts';
import {
  loadSettings,
  parseProvider,
  rememberProvider,
  type Settings,
} from './session/settings.ts';
import { beginSignIn, completeSignIn, discoverRealm, pendingSignIn } from './session/sign-in.ts';

/** What the page begins as. */
export type Start =
  | { kind: 'choose'; settings: Settings }
  | { kind: 'failed'; settings: Settings; error: unknown }
  | { kind: 'signedIn'; connection: Connection };

/** Signs in where the address names a provider; leaves the page to do so, and is run again when it is back. */
export async function start(): Promise<Start> {
  const settings = await loadSettings();
  if (location.origin !== new URL(settings.url).origin) {
    location.replace(settings.url + location.pathname + location.search);
    return new Promise<never>(() => {});
  }
  try {
    if (location.pathname === '/console/signed-in') return await finishSignIn(settings);
    const provider = parseProvider(location.pathname.split('/')[2] ?? '');
    if (provider === undefined) return { kind: 'choose', settings };
    return await beginSignIn(await discoverRealm(settings, provider), addressOf(provider));
  } catch (error) {
    return { kind: 'failed', settings, error };
  }
}

async function finishSignIn(settings: Settings): Promise<Start> {
  const pending = pendingSignIn();
  if (!pending) {
    history.replaceState(null, '', '/console');
    return { kind: 'choose', settings };
  }
  const url = new URL(location.href);
  history.replaceState(null, '', pending.returnTo);
  preloadOverview(pending.returnTo);
  const realm = await discoverRealm(settings, pending.provider);
  const tokens = await completeSignIn(realm, pending, url);
  const session = new Session(realm, tokens, settings.defaultRole);
  rememberProvider(session.provider);
  const live = new LiveEvents();
  const fleet = new Motorpool({
    baseUrl: settings.url,
    provider: session.provider.replace('-', '/'),
    token: () => session.accessToken(),
    fetch: watchStreams(live.setState),
  });
  return { kind: 'signedIn', connection: { settings, session, fleet, live } };
}

/** The page that most people open first is loaded beside the sign-in. */
function preloadOverview(address: string): void {
  const isOverview = /^\/console\/[^/?#]+\/?([?#]|$)/.test(address);
  // The route tells what cannot be loaded.
  if (isOverview) void import('./pages/overview/overview-page.tsx').catch(() => {});
}

/** Codes in lower case are those of the same provider. */
function addressOf(provider: string): string {
  const [, , , ...rest] = location.pathname.split('/');
  return ['', 'console', provider, ...rest].join('/') + location.search + location.hash;
}
