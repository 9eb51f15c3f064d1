import { DATA_VERSION } from './rules.ts'

/** Names of rules as verdicts cite them: each once, with the version of the data that they were read from. */
export const versioned = (rules: readonly string[]): string => `${[...new Set(rules)].join(', ')} (calling rules of ${DATA_VERSION})`
