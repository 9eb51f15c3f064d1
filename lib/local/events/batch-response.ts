import * as v from 'valibot'

const batchResponse = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.minLength(1)) }))) }),
)

/**
 * What of a batch a function reports as failed in a partial batch response: identifiers of the batch, none when all went well.
 * `undefined` stands for an answer which is malformed or names what is not in the batch: the Lambda service then takes the whole batch as
 * failed.
 */
export const failedIdentifiers = (payload: unknown, batch: readonly string[]): ReadonlySet<string> | undefined => {
  const parsed = v.safeParse(batchResponse, payload)
  if (!parsed.success) return undefined
  const failed = new Set(parsed.output?.batchItemFailures?.map((failure) => failure.itemIdentifier))
  return [...failed].every((identifier) => batch.includes(identifier)) ? failed : undefined
}
