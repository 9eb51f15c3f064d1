import { field, isDictionary, type Refusal, refuse } from './field.ts'
import { pythonType } from './python.ts'

/** Levels of nesting in JSON that clients send. */
export const MAX_METADATA_DEPTH = 20
export const MAX_METADATA_BYTES = 100 * 1024

/** Keys that responses add to a lead's metadata. They repeat its fields and are not stored. */
const ECHOES = new Set(['phone_number', 'email', 'lead_source', 'external_id', 'created_at'])

/** Whether a metadata key only repeats a field of the lead. */
export const isEcho = (key: string): boolean => ECHOES.has(key)

export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}

/** Bytes as JSON in UTF-8. */
export const bytesOf = (metadata: Record<string, unknown>): number => new TextEncoder().encode(JSON.stringify(metadata)).length

export const TOO_LARGE_METADATA = `Ensure this field has no more than ${MAX_METADATA_BYTES} bytes of JSON.`

/** Whether metadata is within its limits. The result of a merge must be, too. */
export const fitsMetadata = (metadata: Record<string, unknown>): boolean =>
  !isDeeperThan(metadata, MAX_METADATA_DEPTH) && bytesOf(metadata) <= MAX_METADATA_BYTES

export const notADictionary = (value: unknown): string => `Expected a dictionary of items but got type "${pythonType(value)}".`

/** Free keys and JSON values: at most 20 levels deep, 100 KB as JSON in UTF-8. Keys such as `__proto__` are only data. */
export const metadataField = () =>
  field(
    (value): Record<string, unknown> | Refusal => {
      if (!isDictionary(value)) return refuse(notADictionary(value))
      const metadata = Object.fromEntries(Object.entries(value).filter(([key]) => !isEcho(key)))
      if (isDeeperThan(metadata, MAX_METADATA_DEPTH))
        return refuse(`Ensure this field has no more than ${MAX_METADATA_DEPTH} levels of nesting.`)
      return bytesOf(metadata) > MAX_METADATA_BYTES ? refuse(TOO_LARGE_METADATA) : metadata
    },
    { type: 'object' },
  )
