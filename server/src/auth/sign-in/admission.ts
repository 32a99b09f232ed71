import { createCounts } from '../../platform/counts.ts';
import { siteOf } from '../../platform/http/client-network.ts';

/** How many sign-ins are in progress at once, so that a flood is refused before it costs anything. */
export type Admission = {
  /**
   * The function that ends the sign-in; undefined when there is no room for it. `knownUser` has signed in from this device
   * before.
   */
  enter(realm: string, network: string, knownUser?: string): (() => void) | undefined;
};

// One or two passwords are hashed at once, in turns by realm: who is admitted waits for all of the realm that were before.
const maxOfStrangers = 10;
const maxPerSite = 5;
/** A site with none in progress is admitted beyond, so that a few senders do not keep out all others. */
const maxWithFirst = 20;
/** A realm with no strangers in progress is admitted beyond these. */
const maxWithFirstOfRealm = 40;
/** Counted apart: neither strangers nor known devices can lock out the others. */
const maxOfKnownDevices = 64;
/** A realm with none in progress is admitted beyond, as one of strangers is. */
const maxKnownWithFirst = 128;
// A flood may also come from known devices, with right passwords: from those of one user, or of all users of a realm or a few.
const maxPerAccount = 2;
const maxPerRealm = 8;

export function createAdmission(): Admission {
  const counts = createCounts();

  function sharesOf(realm: string, network: string, knownUser: string | undefined) {
    if (knownUser !== undefined) {
      const ofRealm = `known devices of ${realm}`;
      return [
        {
          key: 'known devices',
          max: counts.of(ofRealm) === 0 ? maxKnownWithFirst : maxOfKnownDevices,
        },
        { key: `account ${realm} ${knownUser}`, max: maxPerAccount },
        { key: ofRealm, max: maxPerRealm },
      ];
    }
    const site = `site ${siteOf(network)}`;
    const ofRealm = `strangers of ${realm}`;
    const maxOfSite = counts.of(site) === 0 ? maxWithFirst : maxOfStrangers;
    return [
      { key: 'strangers', max: counts.of(ofRealm) === 0 ? maxWithFirstOfRealm : maxOfSite },
      { key: site, max: maxPerSite },
      { key: ofRealm, max: Number.POSITIVE_INFINITY },
    ];
  }

  return {
    enter(realm, network, knownUser) {
      const shares = sharesOf(realm, network, knownUser);
      if (shares.some(({ key, max }) => counts.of(key) >= max)) return undefined;
      for (const { key } of shares) counts.add(key, 1);
      return () => {
        for (const { key } of shares) counts.add(key, -1);
      };
    },
  };
}
