import type { UPLOAD_STATUSES } from '../upload.ts'

/** Meanings for the API document and the references, one sentence each. No function imports them. */
export const UPLOAD_STATUS_MEANINGS: Readonly<Record<(typeof UPLOAD_STATUSES)[number], string>> = {
  waiting: 'The file has not arrived yet.',
  processing: 'Rows are being read.',
  done: 'All rows are counted; some may be rejected.',
  failed: 'The file could not be read to its end, and `error` tells why.',
}
