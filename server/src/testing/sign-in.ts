import { addClient } from '../auth/clients.ts';
import { type Browser, openBrowser, type Page } from './browser.ts';
import type { TestService } from './test-service.ts';

export type SignIns = {
  /** The authorization request of an application, with parameters on top of those it needs. */
  start(parameters?: Record<string, string>): string;
  /** A browser on the login page; the address is the one that a proxy would name. */
  open(address?: string): Promise<{ browser: Browser; login: Page }>;
};

/** An application of a realm that people sign in to. */
export async function createSignIns(service: TestService, realm = 'DE-ABC'): Promise<SignIns> {
  const redirectUri = 'https://app.example.com/';
  const { id } = await addClient(service.db, realm, {
    name: 'An application',
    redirectUris: [redirectUri],
  });
  const start = (parameters: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      // Of no verifier: nobody redeems these codes.
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...parameters,
    });
    return `${service.url}/realms/${realm}/protocol/openid-connect/auth?${query}`;
  };
  return {
    start,
    async open(address = '192.0.2.1') {
      const browser = openBrowser(service.url, { 'x-forwarded-for': address });
      return { browser, login: await browser.visit(start()) };
    },
  };
}
