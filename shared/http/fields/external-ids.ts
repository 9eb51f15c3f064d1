import { field, isDictionary, type Refusal, refuse } from './field.ts'
import { bytesOf, isDeeperThan, MAX_METADATA_DEPTH, notADictionary } from './metadata.ts'

export const MAX_EXTERNAL_IDS_BYTES = 16 * 1024

export const TOO_LARGE_IDS = `Ensure this field has no more than ${MAX_EXTERNAL_IDS_BYTES} bytes of JSON.`

/** Whether a lead's external ids are within the size limit. After merging ids, check the merged ones. */
export const fitsIds = (ids: Record<string, unknown>): boolean => bytesOf(ids) <= MAX_EXTERNAL_IDS_BYTES

/** Ids in a client's own systems, by the client's own names: at most 20 levels deep, 16 KB as JSON in UTF-8. */
export const externalIdsField = () =>
  field(
    (value): Record<string, unknown> | Refusal => {
      if (!isDictionary(value)) return refuse(notADictionary(value))
      if (isDeeperThan(value, MAX_METADATA_DEPTH))
        return refuse(`Ensure this field has no more than ${MAX_METADATA_DEPTH} levels of nesting.`)
      return fitsIds(value) ? value : refuse(TOO_LARGE_IDS)
    },
    { type: 'object' },
  )
