import { isDeepStrictEqual } from 'node:util'
import { counted } from '../output.ts'
import type { FieldChange } from './differences.ts'
import type { MadeSecret, PlannedChange, Planning } from './planning.ts'

const MARKS = { new: '+', changed: '~', removed: '-' } as const

/** Most characters of a value that are shown. */
const LONGEST = 160

/** Characters before the first difference that are shown with it. */
const BEFORE = 40

const wholeText = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Shortens a long text. @param from offset at which the shown part begins */
const cut = (text: string, from = 0): string => {
  if (text.length <= LONGEST) return text
  const end = from + LONGEST
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''}`
}

const firstDifference = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

/** Both values. Long values begin shortly before the first difference. */
const changeLine = (old: string, next: string): string => {
  const from = Math.max(0, firstDifference(old, next) - BEFORE)
  return `${cut(old, from)} → ${cut(next, from)}`
}

const fieldLine = (change: PlannedChange['change'], { field, old, new: next, isWord }: FieldChange): string => {
  if (change === 'changed' && !isWord) return `    ${field}: ${changeLine(wholeText(old), wholeText(next))}`
  return `    ${field}: ${cut(wholeText(change === 'removed' ? old : next))}`
}

const changeText = ({ change, kind, name, fields }: PlannedChange): string =>
  [`${MARKS[change]} ${kind} ${name}`.trimEnd(), ...fields.map((field) => fieldLine(change, field))].join('\n')

const isLong = (value: unknown): boolean => wholeText(value).length > LONGEST

const SHORTENED = ['', 'Long values are shortened (…). With --json, they are whole.']

/** The plan for people: `+` is new, `~` changed, `-` removed. */
export const planText = ({ changes, unchanged, notes }: Planning): string => {
  const count = (wanted: PlannedChange['change']): number => changes.filter(({ change }) => change === wanted).length
  const counts = `${count('new')} new, ${count('changed')} changed, ${count('removed')} removed, ${unchanged} unchanged`
  const isShortened = changes.some(({ fields }) => fields.some(({ old, new: next }) => isLong(old) || isLong(next)))
  return [
    ...changes.map(changeText),
    ...notes,
    ...(isShortened ? SHORTENED : []),
    ...(changes.length > 0 ? ['', counts] : [`Nothing to do: ${counts}.`]),
  ].join('\n')
}

/** The plan for programs. */
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

/** Whether two plans make the same changes to the same state. Hashes of old secrets are compared too. */
export const isSamePlan = (one: Planning, other: Planning): boolean => {
  const compared = ({ changes, unchanged, notes }: Planning) => ({
    changes: changes.map(({ change, kind, name, fields }) => ({ change, kind, name, fields })),
    unchanged,
    notes,
  })
  return isDeepStrictEqual(compared(one), compared(other))
}

type Shown = Pick<MadeSecret, 'of' | 'secret'>

const under = (title: string, secrets: readonly Shown[]): string[] =>
  secrets.length === 0 ? [] : ['', title, ...secrets.map(({ of, secret }) => `  ${of}: ${secret}`)]

/** The text that shows new, stored secrets. It is the only time. */
export const secretsText = (secrets: readonly Shown[]): string[] =>
  under(`${counted(secrets.length, 'secret')} created, shown only this once:`, secrets)

/** The text for secrets whose write failed. They may still be stored. */
export const unclearText = (secrets: readonly Shown[]): string[] =>
  under('Created, shown only this once, but perhaps not stored. If applying the file again shows another one, use that one:', secrets)
