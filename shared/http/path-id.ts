import * as v from 'valibot'
import { Id } from '../platform/values/values.ts'

/** An id in a path: a positive integer below 2^31, without leading zeros. */
export const PathId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,9}$/), v.transform(Number), Id)

/** For `params` of a path with one `{id}`. */
export const IdParams = v.object({ id: PathId })
