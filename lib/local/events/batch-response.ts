import * as v from 'valibot'

const batchResponse = v.nullish(
  v.object({ batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.minLength(1)) }))) }),
)

/**
 * The identifiers that a partial batch response reports as failed; empty when all succeeded. Undefined when the response is malformed or
 * names an identifier outside the batch: Lambda then treats the whole batch as failed.
 */
export const failedIdentifiers = (payload: unknown, batch: readonly string[]): ReadonlySet<string> | undefined => {
  const parsed = v.safeParse(batchResponse, payload)
  if (!parsed.success) return undefined
  const failed = new Set(parsed.output?.batchItemFailures?.map((failure) => failure.itemIdentifier))
  return [...failed].every((identifier) => batch.includes(identifier)) ? failed : undefined
}
