/** How many sign-ins are in progress at once, so that a flood is refused before it costs anything. */
export type Admission = {
  /**
   * The function that ends the sign-in; undefined when there is no room for it. `known` is the account that has signed in
   * from this device before.
   */
  enter(network: string, known?: Account): (() => void) | undefined;
};

type Account = { realm: string; username: string };

// A password takes a fraction of a second, one or two at once: who is admitted waits a few seconds at most.
const maxInProgress = 10;
const maxPerNetwork = 5;
/** On top, for devices that signed in before, which a flood must not lock out. */
const extraForKnownDevices = 6;
// A flood may also come from known devices, with right passwords: from those of one user, or of all users of a realm.
const maxPerAccount = 2;
const maxPerRealm = 8;

export function createAdmission(): Admission {
  const counts = new Map<string, number>();
  let inProgress = 0;

  function add(key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }

  return {
    enter(network, known) {
      const limit = known ? maxInProgress + extraForKnownDevices : maxInProgress;
      const shares = known
        ? [
            { key: `account ${known.realm} ${known.username}`, max: maxPerAccount },
            { key: `realm ${known.realm}`, max: maxPerRealm },
          ]
        : [{ key: `network ${network}`, max: maxPerNetwork }];
      if (inProgress >= limit) return undefined;
      if (shares.some(({ key, max }) => (counts.get(key) ?? 0) >= max)) return undefined;
      inProgress++;
      for (const { key } of shares) add(key, 1);
      return () => {
        inProgress--;
        for (const { key } of shares) add(key, -1);
      };
    },
  };
}
