import type { FieldChange } from './differences.ts'
import { counted } from './output.ts'
import type { Change, Planning } from './plan/planning.ts'

const MARKS = { new: '+', changed: '~', removed: '-' } as const

/** Characters of a value that are shown. */
const LONGEST = 160

const valueText = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'none'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

const fieldLine = (change: Change['change'], { field, old, new: next }: FieldChange): string => {
  if (change === 'changed') return `    ${field}: ${valueText(old)} → ${valueText(next)}`
  return `    ${field}: ${valueText(change === 'new' ? next : old)}`
}

const changeText = ({ change, kind, name, fields }: Change): string =>
  [`${MARKS[change]} ${kind} ${name}`.trimEnd(), ...fields.map((field) => fieldLine(change, field))].join('\n')

/** What is to be done, for people: `+` is new, `~` changed, `-` removed. */
export const planText = ({ changes, unchanged, notes }: Planning): string => {
  const count = (wanted: Change['change']): number => changes.filter(({ change }) => change === wanted).length
  const counts = `${count('new')} new, ${count('changed')} changed, ${count('removed')} removed, ${unchanged} unchanged`
  return [...changes.map(changeText), ...notes, ...(changes.length > 0 ? ['', counts] : [`Nothing to do: ${counts}.`])].join('\n')
}

/** The same for programs. */
export const planDocument = ({ changes, unchanged, notes }: Planning) => ({
  changes: changes.map(({ change, kind, name, fields }) => ({
    change,
    kind,
    name,
    fields: fields.map(({ field, old = null, new: next = null }) => ({ field, old, new: next })),
  })),
  unchanged,
  notes,
})

/** What is told of secrets, this once. */
export const secretsText = (secrets: Planning['secrets']): string[] =>
  secrets.length === 0
    ? []
    : ['', `${counted(secrets.length, 'secret')} made, and shown this once:`, ...secrets.map(({ of, secret }) => `  ${of}: ${secret}`)]
