import * as v from 'valibot'
import { didYouMean } from '#shared/http/fields/nearest.ts'
import type { Path } from './document.ts'
import type { Mistakes } from './mistakes.ts'

/** The parts of a schema that describe nested values. */
const Inside = v.object({
  entries: v.optional(v.record(v.string(), v.unknown())),
  item: v.optional(v.unknown()),
  wrapped: v.optional(v.unknown()),
  value: v.optional(v.unknown()),
  options: v.optional(v.array(v.unknown())),
})

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Prefix of top-level keys that only hold YAML anchors: `x-hours: &hours`. */
export const ASIDE = 'x-'

/** Lists that `remove` does not take, and what to do instead. */
const STAYS: Readonly<Record<string, string>> = {
  users: 'A user cannot be removed, because its leads belong to it. Revoke its keys with "keys revoke".',
  lead_types: 'A lead type cannot be removed, because leads name it. With active: false, its leads are not called.',
  dnc_groups: 'A DNC group cannot be removed, because the stops on its list still apply.',
  emergencies: 'emergencies is always the complete list. Leave the state out there.',
}

/** Why the setting is unknown, or which one was probably meant. */
const reasonFor = (path: Path, name: string, names: readonly string[]): string => {
  const stays = path.length === 1 && path[0] === 'remove' ? STAYS[name] : undefined
  return ` ${stays ?? (didYouMean(name, names).trim() || `The known settings are: ${names.join(', ')}.`)}`
}

/** Whether the schema describes an object of settings. */
const describesObject = (schema: unknown): boolean => v.safeParse(v.object({ entries: v.unknown() }), schema).success

/** Reports every unknown name. The entries of an object schema are taken as all its settings. */
export const findUnknownKeys = (schema: unknown, value: unknown, mistakes: Mistakes, path: Path = []): void => {
  const { success, output: inside } = v.safeParse(Inside, schema)
  if (!success) return
  const into = (part: unknown, below: unknown, step: string | number): void => findUnknownKeys(part, below, mistakes, [...path, step])
  if (inside.wrapped !== undefined) findUnknownKeys(inside.wrapped, value, mistakes, path)
  else if (inside.options) {
    const object = inside.options.find(describesObject)
    const list = inside.options.find((option) => v.is(v.object({ item: v.unknown() }), option))
    findUnknownKeys(Array.isArray(value) ? list : object, value, mistakes, path)
  } else if (inside.entries && Array.isArray(value)) mistakes.add(path, 'Expected settings by their names, not a list.')
  else if (Array.isArray(value)) for (const [at, element] of value.entries()) into(inside.item, element, at)
  else if (isPlain(value)) {
    for (const [name, below] of Object.entries(value)) {
      if (!inside.entries) into(inside.value, below, name)
      else if (path.length === 0 && name.startsWith(ASIDE)) continue
      else if (Object.hasOwn(inside.entries, name)) into(inside.entries[name], below, name)
      else {
        const reason = reasonFor(path, name, Object.keys(inside.entries))
        mistakes.add([...path, name], `There is no setting ${name} here.${reason}`, 'key')
      }
    }
  }
}
