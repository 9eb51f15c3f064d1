import { SmsEventResponse } from '../../../events/api/event-response.ts'
import { nearest } from '../../../http/fields/nearest.ts'
import type { Warning } from '../../../platform/values/warning.ts'
import { parseFilter } from './parse.ts'
import type { PathStep, Tree } from './tree.ts'

/** The fields of payloads. An event of a text message has all of them. */
const FIELDS = Object.keys(SmsEventResponse.entries)

const isKnown = ([name = '']: readonly PathStep[]): boolean => FIELDS.includes(`${name}`)

/** No field is written like this. */
const CAPITALS = /^[A-Z][A-Z\d_]*$/

interface Unknown {
  readonly name: string
  /** The name that the author probably meant. */
  readonly hint: string
}

const asField = ([name = '']: readonly PathStep[]): Unknown[] => [
  { name: `${name}`, hint: nearest(`${name}`, FIELDS) ?? `metadata.${name}` },
]

/** For a path where a text may stand: one without further steps is probably a text without its quotes. */
const asText = (steps: readonly PathStep[]): Unknown[] => {
  const [name = ''] = steps
  return steps.length === 1 ? [{ name: `${name}`, hint: `'${name}'` }] : asField(steps)
}

const unknownIn = (tree: Tree, named: (steps: readonly PathStep[]) => Unknown[] = asField): Unknown[] => {
  switch (tree.type) {
    case 'literal':
      return []
    case 'path':
      if (isKnown(tree.steps)) return []
      return CAPITALS.test(`${tree.steps[0]}`) ? asText(tree.steps) : named(tree.steps)
    case 'inside':
      return unknownIn(tree.of)
    case 'has':
      return isKnown(tree.steps) ? [] : asField(tree.steps)
    case 'get':
      return [...(isKnown(tree.steps) ? [] : asField(tree.steps)), ...unknownIn(tree.otherwise, asText)]
    case 'compare':
      return [...unknownIn(tree.left), ...unknownIn(tree.right, asText)]
    default:
      return tree.parts.flatMap((part) => unknownIn(part))
  }
}

/**
 * Warnings about the fields of a condition that no payload has. They are null, so that the condition is probably never true: in
 * `status == OPEN`, `OPEN` is a field.
 * @throws FilterError
 */
export const unknownFilterFields = (condition: string): Warning[] => {
  const found = condition.trim() === '' ? [] : unknownIn(parseFilter(condition))
  return [...new Map(found.map((one) => [one.name, one])).values()].map(({ name, hint }) => ({
    ...{ code: 'unknown_filter_field', field: name, hint },
    detail: 'No webhook has this field, so its value is always null. Put text in quotes.',
  }))
}
