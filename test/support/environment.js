import fc from 'fast-check'
import { useChance } from '#shared/platform/chance.ts'
import { stopCacheClock } from '#test/support/cache-clock.ts'

/** What functions log is not what a test prints. */
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT'

/** Each run of the tests tries the same cases, so a run that fails can be repeated. `PROPERTY_SEED=$RANDOM npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })

stopCacheClock()

/**
 * The first requests of a user pay nothing for the rate limit: 99 with the allowance that most tests use. Otherwise, chance would decide
 * whether a request that a test measures pays for those that follow.
 */
useChance(() => 0.99)
