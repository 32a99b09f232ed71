import { launchChrome } from './chrome.ts';
import { type ConsolePage, openSignedIn } from './console-page.ts';
import { makeFleet } from './make-fleet.ts';
import { startTestService, type TestService } from './test-service.ts';

type OpenOptions = Parameters<typeof openSignedIn>;

export type ConsoleFleet = {
  service: TestService;
  /** The address of its pages in the console. */
  fleet: string;
  signedIn(path: string, options?: OpenOptions[3], user?: OpenOptions[4]): Promise<ConsolePage>;
  stop(): Promise<void>;
};

/** A fleet of a few vehicles, with its console in a browser. */
export async function startConsoleFleet(): Promise<ConsoleFleet> {
  const service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 5, { hasImages: false });
  const browser = await launchChrome();
  return {
    service,
    fleet: `${service.url}/console/DE-ABC`,
    signedIn: (path, options, user) => openSignedIn(browser, service, path, options, user),
    async stop() {
      await browser.close();
      await service.stop();
    },
  };
}
