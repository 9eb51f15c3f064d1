/** Something that was accepted but may surprise its sender. */
export interface Warning {
  /** Documented in the guide of the API. */
  readonly code: string
  /** The field or the query parameter: `metadata.timezone`. */
  readonly field: string
  /** What the sender probably meant, or what the warning refers to. */
  readonly hint?: string
  /** What it means, as a sentence. */
  readonly detail: string
}

/** Warnings of one answer, at most: a bulk request may cause thousands, and a header must stay short. */
export const MOST_WARNINGS = 20
