import { randomInt } from 'node:crypto'
import { apiKeyFrom } from './rules/api-key.ts'

/** A new API key: prefix, randomness and a checksum. */
export const newApiKey = (): string => apiKeyFrom((below) => randomInt(below))
