import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument, visit } from 'yaml'
import type { Path } from './mistakes.ts'

/** From 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface Written {
  readonly value: unknown
  /** Where something is written; what is not, where it would be. `key`: where its name is. */
  at(path: Path, part?: 'key' | 'value'): Position
  /** The text of a scalar, as it is written. */
  source(path: Path): string | undefined
}

interface Unreadable {
  readonly position: Position
  readonly message: string
}

const MERGE = '<<'

type Found = { readonly pair?: Pair; readonly node: unknown }

const child = (document: Document, parent: unknown, step: string | number): Found | undefined => {
  if (isAlias(parent)) return child(document, parent.resolve(document), step)
  if (isSeq(parent)) return typeof step === 'number' && step in parent.items ? { node: parent.items[step] } : undefined
  if (!isMap(parent)) return undefined
  const named = (name: string) => parent.items.find(({ key }) => isScalar(key) && (key.source === name || String(key.value) === name))
  const pair = named(String(step))
  if (pair) return { pair, node: pair.value }
  const merged = named(MERGE)
  return merged && child(document, merged.value, step)
}

const offsetOf = (node: unknown): number | undefined => {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined
  const [start]: unknown[] = node.range
  return typeof start === 'number' ? start : undefined
}

const findDeepest = (document: Document, root: Node | null, path: Path): { readonly whole: boolean; readonly found: Found } => {
  let found: Found = { node: root }
  for (const step of path) {
    const next = child(document, found.node, step)
    if (!next) return { whole: false, found }
    found = next
  }
  return { whole: true, found }
}

const writtenIn = (document: Document, root: Node | null, counter: LineCounter, value: unknown): Written => ({
  value,
  at: (path, part = 'value') => {
    const { whole, found } = findDeepest(document, root, path)
    // What a thing lacks is told at its beginning.
    const node = part === 'key' || !whole ? (found.pair?.key ?? found.node) : (found.node ?? found.pair?.key)
    const { line, col } = counter.linePos(offsetOf(node) ?? offsetOf(found.pair?.key) ?? 0)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  },
  source: (path) => {
    const { whole, found } = findDeepest(document, root, path)
    return whole && isScalar(found.node) ? found.node.source : undefined
  },
})

const unknownAliases = (document: Document) => {
  const unknown: { start: number; message: string }[] = []
  visit(document, {
    Alias: (_, node) => {
      if (!node.resolve(document))
        unknown.push({ start: offsetOf(node) ?? 0, message: `This is not YAML: Nothing before is marked &${node.source}` })
    },
  })
  return unknown
}

/** What comes later follows from what came before, more often than not. */
const MOST_TOLD = 10

/** What the parser says to programmers, in words for people. */
const IN_OTHER_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'A file holds one document: leave out the line ---, or have two files.',
}

const START = { line: 1, column: 1 }

/** Neither the parser nor what it makes can go as deep, or as far, as some texts want. */
const whyEndless = (error: unknown): string => {
  if (error instanceof TypeError) return 'An alias stands within what it names.'
  if (error instanceof RangeError) return 'The file is nested too deeply to be read.'
  return 'Its aliases of aliases come to more than can be read.'
}

/** Reads YAML, and remembers where everything stands. */
export const readDocument = (text: string): Written | { readonly unreadable: readonly Unreadable[] } => {
  // What is no UTF-8 is read as replacement characters.
  if (/[\0\uFFFD]/.test(text)) return { unreadable: [{ position: START, message: 'The file is no text in UTF-8.' }] }
  try {
    return readText(text)
  } catch (error) {
    return { unreadable: [{ position: START, message: whyEndless(error) }] }
  }
}

const readText = (text: string): ReturnType<typeof readDocument> => {
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, merge: true, prettyErrors: false })
  if (document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')) throw new RangeError('Too deep.')
  const problems = [...document.errors, ...document.warnings].map(({ pos: [start], code, message }) => ({
    start,
    message: IN_OTHER_WORDS[code] ?? `This is not YAML: ${message}`,
  }))
  if (problems.length === 0) problems.push(...unknownAliases(document))
  if (problems.length > 0) {
    const unreadable = problems.slice(0, MOST_TOLD).map(({ start, message }) => {
      const { line, col } = counter.linePos(start)
      return { position: { line, column: col }, message: message.replace(/\.?$/, '.') }
    })
    return { unreadable }
  }
  const value: unknown = document.toJS()
  // Throws a TypeError when something holds itself.
  JSON.stringify(value)
  return writtenIn(document, document.contents, counter, value)
}
