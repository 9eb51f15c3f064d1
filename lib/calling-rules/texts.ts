import type { CallingRules, Duty, PendingRow } from '#shared/calling/rules/calling-rules.ts'
import { datesText, placeText } from './describe.ts'

/** Differences between two versions of the rules in duties, bills, and the computation of holidays. */

/** A text that both versions list under the same name, or only one of them. */
interface Listed {
  readonly name: string
  readonly text: Duty | PendingRow
}

const listedOf = ({ duties, jurisdictions }: CallingRules): Listed[] => [
  ...duties.map((text) => ({
    name:
      text.enactment === 'pending'
        ? `${placeText(text.jurisdiction)}, duty, not yet law: ${text.what}`
        : `${placeText(text.jurisdiction)}, duty ${datesText(text)}: ${text.what}`,
    text,
  })),
  ...Object.entries(jurisdictions).flatMap(([code, rows]) =>
    rows.flatMap((text) => (text.enactment === 'pending' ? { name: `${placeText(code)}, not yet law: ${text.change}`, text } : [])),
  ),
]

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The fields that differ, by name, each once. */
const fieldsThatDiffer = (was: object, is: object): string[] => {
  const [before, now] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
  return [...new Set([...before.keys(), ...now.keys()])].filter((field) => !isSame(before.get(field), now.get(field)))
}

/** Duties and bills that are new, gone or changed. */
export const listedChanges = (was: CallingRules, is: CallingRules): string[] => {
  const [before, now] = [listedOf(was), listedOf(is)]
  const [former, present] = [before, now].map((all) => new Map(all.map(({ name, text }) => [name, text])))
  return [
    ...now.flatMap(({ name }) => (former?.has(name) ? [] : `New: ${name}`)),
    ...before.flatMap(({ name }) => (present?.has(name) ? [] : `Gone: ${name}`)),
    ...now.flatMap(({ name, text }) => {
      const fields = fieldsThatDiffer(former?.get(name) ?? text, text)
      return fields.length > 0 ? `Changed (${fields.join(', ')}): ${name}` : []
    }),
  ]
}

/** Holidays whose name or day differs. */
const definitionChanges = (was: CallingRules['holidayDefinitions'], is: CallingRules['holidayDefinitions']): string[] => {
  const former = new Map<string, (typeof was)[keyof typeof was]>(Object.entries(was))
  return Object.entries(is).flatMap(([id, { name, rule, shift }]) => {
    const before = former.get(id)
    if (before === undefined) return []
    return [
      ...(before.name === name ? [] : [`${before.name} is now called ${name}.`]),
      ...(isSame([before.rule, before.shift], [rule, shift]) ? [] : [`${name} is computed differently.`]),
    ]
  })
}

/** Which days are holidays, besides the lists of the rows. */
export const holidayChanges = (was: CallingRules, is: CallingRules): string[] => [
  ...definitionChanges(was.holidayDefinitions, is.holidayDefinitions),
  ...(isSame(was.federalHolidays, is.federalHolidays) ? [] : ['The list of federal holidays changed.']),
  ...fieldsThatDiffer(was.observance, is.observance).map((place) =>
    place === 'note'
      ? 'The note on holidays that fall on a weekend changed.'
      : `Holidays that fall on a weekend close other days: ${place === 'default' ? 'all places without a rule of their own' : placeText(place)}.`,
  ),
]
