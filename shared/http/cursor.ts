import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Cursor } from '../platform/values/cursor.ts'
import { ServiceError } from '../platform/values/errors.ts'

const HASH_LENGTH = 12

const hashOf = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, HASH_LENGTH)

/** @param list names the list. The cursor holds for this list only. */
export const cursorText = (list: string, { direction, at, count }: Cursor): string =>
  Buffer.from(JSON.stringify([hashOf(list), direction, at, count])).toString('base64url')

/** Characters. No cursor is longer. */
const LONGEST = 200

const Written = v.pipe(
  v.string(),
  v.maxLength(LONGEST),
  v.regex(/^[\w-]+$/),
  v.transform((text) => Buffer.from(text, 'base64url').toString()),
  v.parseJson(),
  v.strictTuple([v.string(), v.picklist(['next', 'previous']), v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))]),
)

const invalidCursor = (): ServiceError =>
  new ServiceError(
    'not_found',
    'Invalid cursor. Follow the links `next` and `previous` as they are. To change filters, begin without cursor.',
  )

/**
 * @param isEntry whether a text can name an entry of the list
 * @throws ServiceError `not_found` when the text is no cursor of this list
 */
export const readCursor = (list: string, text: string, isEntry: (at: string) => boolean): Cursor => {
  const read = v.safeParse(Written, text)
  if (!read.success) throw invalidCursor()
  const [hash, direction, at, count] = read.output
  if (hash !== hashOf(list) || !isEntry(at)) throw invalidCursor()
  return { direction, at, count }
}
