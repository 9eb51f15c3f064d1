import { MOST_MASKED } from '#shared/platform/values/masked.ts'

/** A pattern with more than linear time, which is only used on short texts. */
export interface Limited {
  readonly file: string
  /** Start of its source. */
  readonly source: string
  /** Most characters of a text that it is used on. */
  readonly most: number
  /** The code that enforces this limit. */
  readonly by: string
}

export const LIMITED: readonly Limited[] = [
  {
    file: 'shared/platform/values/masked.ts',
    source: '([^\\s@%',
    most: MOST_MASKED,
    by: 'masked() cuts the text; each try looks at 64 characters before the @ and 253 after it',
  },
  {
    file: 'shared/platform/values/masked.ts',
    source: '([\\da-f]{8}',
    most: MOST_MASKED,
    by: 'masked() cuts the text; each try looks at 120 characters',
  },
  {
    file: 'shared/erasure/rules/mention.ts',
    source: '(?:(?<=%',
    most: 400 * 1024,
    by: 'an item of the table is no larger, and files are read in chunks; each try looks at 128 characters',
  },
  {
    file: 'lib/build-functions.ts',
    source: '\\/\\*.*?',
    most: 64 * 1024,
    by: 'it is applied to the source files of this project, which have no more than 250 lines',
  },
  {
    file: 'lib/client/api-error.ts',
    source: '([a-z_]+)((',
    most: 10 * 1024,
    by: 'all headers of an answer of API Gateway together are no larger',
  },
]
