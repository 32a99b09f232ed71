import { createCounts } from '../../platform/counts.ts';
import { siteOf } from '../../platform/http/client-network.ts';

/** How many sign-ins are in progress at once, so that a flood is refused before it costs anything. */
export type Admission = {
  /**
   * The function that ends the sign-in; undefined when there is no room for it. `known` is the account that has signed in
   * from this device before.
   */
  enter(network: string, known?: Account): (() => void) | undefined;
};

type Account = { realm: string; username: string };

// One or two passwords are hashed at once, in turns by realm: who is admitted waits for all of the realm that were before.
const maxOfStrangers = 10;
const maxPerSite = 5;
/** A site with none in progress is admitted beyond, so that a few senders do not keep out all others. */
const maxWithFirst = 20;
/** Counted apart: neither strangers nor known devices can lock out the others. */
const maxOfKnownDevices = 64;
/** A realm with none in progress is admitted beyond, as a site of strangers is. */
const maxWithFirstOfRealm = 128;
// A flood may also come from known devices, with right passwords: from those of one user, or of all users of a realm or a few.
const maxPerAccount = 2;
const maxPerRealm = 8;

export function createAdmission(): Admission {
  const counts = createCounts();

  function sharesOf(network: string, known: Account | undefined) {
    if (known) {
      const realm = `realm ${known.realm}`;
      return [
        {
          key: 'known devices',
          max: counts.of(realm) === 0 ? maxWithFirstOfRealm : maxOfKnownDevices,
        },
        { key: `account ${known.realm} ${known.username}`, max: maxPerAccount },
        { key: realm, max: maxPerRealm },
      ];
    }
    const site = `site ${siteOf(network)}`;
    return [
      { key: 'strangers', max: counts.of(site) === 0 ? maxWithFirst : maxOfStrangers },
      { key: site, max: maxPerSite },
    ];
  }

  return {
    enter(network, known) {
      const shares = sharesOf(network, known);
      if (shares.some(({ key, max }) => counts.of(key) >= max)) return undefined;
      for (const { key } of shares) counts.add(key, 1);
      return () => {
        for (const { key } of shares) counts.add(key, -1);
      };
    },
  };
}
