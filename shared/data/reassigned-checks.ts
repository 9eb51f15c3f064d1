import type { PackedDuty } from '../calling/rules/calling-rules.ts'

/** Made of calling-rules.json by `npm run generate`; do not edit. */
export const REASSIGNED_CHECKS: readonly PackedDuty[] = [{ from: '2024-08-09', jurisdiction: 'ME', citations: ['10 M.R.S. 1499-B'] }]
