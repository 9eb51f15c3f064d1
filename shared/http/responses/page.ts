import * as v from 'valibot'
import { Count } from './values.ts'

const Link = v.nullable(v.pipe(v.string(), v.url()))

/** One page of a list. */
export const pageResponse = <S extends v.GenericSchema>(item: S) =>
  v.strictObject({ count: Count, next: Link, previous: Link, results: v.array(item) })
