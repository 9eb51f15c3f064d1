/** The cadence's counters for a lead that starts a new round. */
export const NEW_ROUND = { round_attempts: 0, refusals: 0 } as const
