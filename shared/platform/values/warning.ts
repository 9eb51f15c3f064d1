/** Warnings about a lead as it is stored. */
export const LEAD_WARNINGS = [
  ...(['no_lead_type', 'not_called_abroad', 'timezone_required', 'unknown_timezone', 'unknown_place', 'no_place'] as const),
  'no_state',
  'zip_in_other_state',
  'timezone_outside_state',
  'unreadable_day',
  ...(['similar_field', 'open_lead'] as const),
] as const
export type LeadWarning = (typeof LEAD_WARNINGS)[number]

/** Warnings about a row of a file. */
export const ROW_WARNINGS = [...LEAD_WARNINGS, 'earlier_row'] as const

export const WARNING_CODES = [
  ...ROW_WARNINGS,
  ...(['unknown_parameter', 'ignored_parameter', 'unknown_filter_field', 'dnc_listed', 'dnc_raised_again'] as const),
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

/** Lines of a file whose rows cause each warning, by its code. */
export type WarnedLines = Readonly<Record<string, readonly number[]>>

/** Something that was accepted but may surprise its sender. */
export interface Warning {
  readonly code: WarningCode
  /** The field or the query parameter: `metadata.timezone`. In a filter: the name of the field. */
  readonly field: string
  /** The name that the sender probably meant, or the id of another lead. */
  readonly hint?: string
  /** The warning as a sentence. */
  readonly detail: string
}

/** Warnings of one answer, at most: a bulk request may cause thousands, and a header must stay short. */
export const MOST_WARNINGS = 20
