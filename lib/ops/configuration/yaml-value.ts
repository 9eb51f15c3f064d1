import { type Document, isAlias, isMap, isScalar, isSeq, type Node, visit } from 'yaml'

/** The YAML merge key. */
export const MERGE = '<<'

/** Offset of a node in characters; undefined when it is not in the text. */
export const offsetOf = (node: unknown): number | undefined => {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const [start]: unknown[] = node.range
  return typeof start === 'number' ? start : undefined
}

export interface Problem {
  /** Offset in characters. */
  readonly start: number
  readonly message: string
}

/** Aliases without an anchor, and aliases inside their own anchor. */
const faultyAliases = (document: Document): Problem[] => {
  const faulty: Problem[] = []
  const marked = new Map<string, Node>()
  visit(document, {
    Node: (_, node, above) => {
      if (!isAlias(node)) {
        if (node.anchor) marked.set(node.anchor, node)
        return
      }
      const start = offsetOf(node) ?? 0
      const named = marked.get(node.source)
      if (!named) faulty.push({ start, message: `This is not YAML: There is no anchor &${node.source} before this alias` })
      else if (above.includes(named)) faulty.push({ start, message: `The alias *${node.source} is inside its own anchor.` })
    },
  })
  return faulty
}

const resolved = (document: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node)

/** Offset of a merge key whose value is not a map; undefined when there is none. */
const brokenMerge = (document: Document): number | undefined => {
  let broken: number | undefined
  visit(document, {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || key.source !== MERGE) return undefined
      const from = resolved(document, value)
      if (isMap(from) || (isSeq(from) && from.items.every((item) => isMap(resolved(document, item))))) return undefined
      broken = offsetOf(value) ?? offsetOf(key)
      return visit.BREAK
    },
  })
  return broken
}

/** Most problems that are reported. Later ones usually follow from earlier ones. */
const MOST_SHOWN = 10

/** Replaces parser messages that only programmers understand. */
const IN_OTHER_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'A file may hold only one document. Remove the line ---, or use two files.',
}

const TOO_DEEP: Problem = { start: 0, message: 'The file is nested too deeply to be read.' }

/** Why a valid YAML document has no value. @throws errors that the document did not cause */
const whyWithoutValue = (document: Document, error: unknown): Problem => {
  if (error instanceof RangeError) return TOO_DEEP
  if (error instanceof ReferenceError && error.message.startsWith('Excessive alias count')) {
    return { start: 0, message: 'The YAML aliases of the file expand beyond the limit of what can be read.' }
  }
  // The library throws plain errors for documents that it refuses.
  if (!(error instanceof Error) || error.name !== 'Error') throw error
  return { start: brokenMerge(document) ?? 0, message: `This is not YAML: ${error.message}` }
}

const problemsIn = (document: Document): readonly Problem[] => {
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) return [TOO_DEEP]
  const problems = [...document.errors, ...document.warnings].map(({ pos: [start], code, message }) => ({
    start,
    message: IN_OTHER_WORDS[code] ?? `This is not YAML: ${message}`,
  }))
  return problems.length > 0 ? problems : faultyAliases(document)
}

/** The first few problems, when there are many. */
const firstOf = (problems: readonly Problem[]): readonly Problem[] => {
  const shown = problems.slice(0, MOST_SHOWN)
  const [next] = problems.slice(MOST_SHOWN)
  if (next) shown.push({ start: next.start, message: `And ${problems.length - MOST_SHOWN} more mistakes, which may follow from these.` })
  return shown
}

type Read = { readonly value: unknown } | { readonly problems: readonly Problem[]; readonly count: number }

/** The document's value, or its problems. `JSON.stringify` proves that the value is not nested too deeply. */
export const readValue = (document: Document): Read => {
  try {
    const problems = problemsIn(document)
    if (problems.length > 0) return { problems: firstOf(problems), count: problems.length }
    const value: unknown = document.toJS()
    JSON.stringify(value)
    return { value }
  } catch (error) {
    return { problems: [whyWithoutValue(document, error)], count: 1 }
  }
}
