import type { Shown } from './service.ts'

/** Hours that are printed. The JSON has more. */
const MOST_HOURS = 24

/** `2026-11-20 18:00`. */
const hourOf = (time: string): string => time.slice(0, 16).replace('T', ' ')

const sum = (counts: readonly { readonly leads: number }[]): number => counts.reduce((all, { leads }) => all + leads, 0)

/** Lines about when the leads of a dry run could be called. */
export const callLines = ({ preview }: Shown): string[] => {
  if (!preview) return []
  const { callable_now, by_hour, later, skipped } = preview
  const rest = later + sum(by_hour.slice(MOST_HOURS))
  const counts = [
    { label: 'now', leads: callable_now },
    ...by_hour.slice(0, MOST_HOURS).map(({ hour, leads }) => ({ label: hourOf(hour), leads })),
    ...(rest > 0 ? [{ label: 'later', leads: rest }] : []),
    ...skipped.map(({ gate, leads }) => ({ label: `not: ${gate}`, leads })),
  ]
  if (sum(counts) === 0) return []
  const texts = counts.map(({ label, leads }) => [label, leads.toLocaleString('en-US')] as const)
  const wide = Math.max(...texts.map(([label]) => label.length))
  const long = Math.max(...texts.map(([, leads]) => leads.length))
  return [
    '',
    'When the leads could be called if the file were sent now, by the hour in UTC.',
    'A gate that is named after "not" refuses its leads until somebody changes something.',
    '',
    ...texts.map(([label, leads]) => `  ${label.padEnd(wide)} ${leads.padStart(long)}`),
  ]
}
