import { stepsOf } from './path.ts'

type Branch = Map<string, Branch | string>

/** Metadata may be this deep. A deeper or longer name is kept as a plain key: nobody maps such a path. */
const MAX_STEPS = 20
const MAX_CHARACTERS = 1000

/** `tags[]` means `tags[0]`: the form reader keeps only the last of several fields with one name. */
const pathOf = (name: string): readonly string[] => {
  const steps = name.length > MAX_CHARACTERS ? undefined : stepsOf(name.replace(/\[\]$/, '[0]'))
  return steps && steps.length <= MAX_STEPS ? steps : [name]
}

const branchAt = (parent: Branch, step: string): Branch | undefined => {
  const there = parent.get(step)
  if (typeof there === 'string') return undefined
  const branch: Branch = there ?? new Map()
  parent.set(step, branch)
  return branch
}

/** @returns false when another field is already there */
const grow = (root: Branch, steps: readonly string[], text: string): boolean => {
  let branch: Branch | undefined = root
  for (const step of steps.slice(0, -1)) branch = branch && branchAt(branch, step)
  const last = steps.at(-1)
  if (!branch || last === undefined || branch.has(last)) return false
  branch.set(last, text)
  return true
}

const isList = (branch: Branch): boolean => [...branch.keys()].every((key, index) => key === `${index}`)

const toJson = (node: Branch | string): unknown => {
  if (typeof node === 'string') return node
  return isList(node) ? [...node.values()].map(toJson) : Object.fromEntries([...node].map(([key, child]) => [key, toJson(child)]))
}

/**
 * Builds the object that a form's field names describe. `contact[phone]` and `contact.phone` are keys of an object. `items[0][id]` and
 * `tags[]` are items of a list. A field that contradicts another keeps its name as sent.
 */
export const formPayload = (fields: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
  const entries = Object.entries(fields).map(([name, text]) => ({ name, text, steps: pathOf(name) }))
  const root: Branch = new Map(entries.filter(({ steps }) => steps.length === 1).map(({ name, text }) => [name, text]))
  const nested = entries.filter(({ steps }) => steps.length > 1)
  for (const { name, text, steps } of nested) if (!grow(root, steps, text)) root.set(name, text)
  return Object.fromEntries([...root].map(([key, node]) => [key, toJson(node)]))
}
