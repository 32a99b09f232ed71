/** By how much the clocks of boxes and charging stations may be ahead of the service's. */
export const clockLeadMs = 300_000;
