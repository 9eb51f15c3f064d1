import { MOST_MASKED } from '#shared/platform/values/masked.ts'

/** A pattern that takes more time than its text is long, and is only applied to short ones. */
export interface Limited {
  readonly file: string
  /** How its source begins. */
  readonly source: string
  /** Characters of a text that it is applied to, at most. */
  readonly most: number
  /** Where that is seen to. */
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
    file: 'lib/settings.ts',
    source: '^$|^([a-z0-9](',
    most: 253,
    by: 'the setting is as long as a host name may be',
  },
]
