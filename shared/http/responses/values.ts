import * as v from 'valibot'

/** ISO 8601 with six fraction digits and a numeric offset. */
export const DateTime = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}[+-]\d{2}:\d{2}$/),
  v.metadata({ format: 'date-time', examples: ['2026-11-20T16:00:00.123000+00:00'] }),
)

export const OptionalDateTime = v.nullable(DateTime)

export const Count = v.pipe(v.number(), v.integer(), v.minValue(0))
