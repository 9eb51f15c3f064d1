/** What the cadence counts, for a lead that begins it. */
export const NEW_ROUND = { round_attempts: 0, refusals: 0 } as const
