import type { Lead } from '../../client/operations.ts'

/** The name in the lead's metadata, or an empty text. */
export const nameOf = ({ metadata }: Pick<Lead, 'metadata'>): string =>
  [metadata['first_name'], metadata['last_name']].filter((part) => typeof part === 'string' && part !== '').join(' ')
