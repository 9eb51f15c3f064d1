import { invalid } from '../platform/values/errors.ts'
import type { Reply } from './reply.ts'

/** Bytes. Lambda returns at most 6 MiB; beyond that, the client would get only "server error". The remainder is for the headers. */
export const MAX_PAGE_BYTES = 6 * 1024 * 1024 - 50_000

/** Lambda returns the text as a JSON string, in which each quotation mark and backslash takes two bytes. */
const fits = (text: string): boolean =>
  Buffer.byteLength(text) * 2 <= MAX_PAGE_BYTES || Buffer.byteLength(JSON.stringify(text)) <= MAX_PAGE_BYTES

/**
 * The answer to a request for a page.
 * @param what the items of the page, as clients call them.
 * @throws ServiceError under `page_size` when the page is too large to be sent
 */
export const pageReply = (page: unknown, what: string): Reply => {
  const text = JSON.stringify(page)
  if (fits(text)) return { status: 200, text, headers: { 'Content-Type': 'application/json' } }
  throw invalid({ page_size: [`These ${what} are too large to be sent together. Use a smaller page_size.`] })
}
