import { invalid } from '../platform/values/errors.ts'
import type { Reply } from './reply.ts'

/**
 * Bytes of an answer: Lambda hands over no more than 6 MiB, and the gateway would say nothing but "server error". A rest is for the
 * headers.
 */
export const MAX_PAGE_BYTES = 6 * 1024 * 1024 - 50_000

/** The text is handed over as a string of JSON, in which each quotation mark and backslash takes two bytes. */
const fits = (text: string): boolean =>
  Buffer.byteLength(text) * 2 <= MAX_PAGE_BYTES || Buffer.byteLength(JSON.stringify(text)) <= MAX_PAGE_BYTES

/**
 * The answer to a request for a page.
 * @param what the page is of, as clients call them
 * @throws ServiceError under `page_size` when what the results hold makes a page that cannot be sent
 */
export const pageReply = (page: unknown, what: string): Reply => {
  const text = JSON.stringify(page)
  if (fits(text)) return { status: 200, text, headers: { 'Content-Type': 'application/json' } }
  throw invalid({ page_size: [`These ${what} are too large to be sent together. Use a smaller page_size.`] })
}
