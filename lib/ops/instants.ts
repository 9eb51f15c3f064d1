import * as v from 'valibot'
import { dateTimeField } from '#shared/http/fields/date-time.ts'
import { DAY, HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import type { Instant } from '#shared/platform/values/values.ts'

/** Times on the command line. */

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY }

/** Parses `90m`, `1h` or `2d` into milliseconds. */
export const Within = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,4}[mhd]$/, ({ input }) => `--within is a number of minutes, hours or days, as 90m, 1h or 2d, and not ${input}.`),
  v.transform((text) => Number(text.slice(0, -1)) * (UNITS[text.slice(-1)] ?? 0)),
)

const DateTime = dateTimeField()

/** An instant in ISO 8601. */
export const At = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): Instant => {
    const read = v.safeParse(DateTime, dataset.value)
    if (read.success) return read.output
    addIssue({ message: `--at: ${read.issues[0].message}` })
    return NEVER
  }),
)
