/** How many sign-ins are in progress at once, so that a flood is refused before it costs anything. */
export type Admission = {
  /** The function that ends the sign-in; undefined when there is no room for it. */
  enter(network: string, isKnownDevice: boolean): (() => void) | undefined;
};

// A password takes a fraction of a second, one or two at once: who is admitted waits a few seconds at most.
const maxInProgress = 10;
const maxPerNetwork = 5;
/** On top, for devices that signed in before, which a flood must not lock out. */
const extraForKnownDevices = 6;

export function createAdmission(): Admission {
  const networks = new Map<string, number>();
  let inProgress = 0;

  return {
    enter(network, isKnownDevice) {
      const limit = isKnownDevice ? maxInProgress + extraForKnownDevices : maxInProgress;
      const ofNetwork = networks.get(network) ?? 0;
      if (inProgress >= limit || (ofNetwork >= maxPerNetwork && !isKnownDevice)) return undefined;
      inProgress++;
      networks.set(network, ofNetwork + 1);
      return () => {
        inProgress--;
        const remaining = (networks.get(network) ?? 1) - 1;
        if (remaining === 0) networks.delete(network);
        else networks.set(network, remaining);
      };
    },
  };
}
