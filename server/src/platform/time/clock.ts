/** What time it is for domain logic. Tokens and jobs keep real time. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
