/** The current time of domain logic. Tokens and jobs use the system clock. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
