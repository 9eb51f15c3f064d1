import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import { MERGE, offsetOf, readValue } from './yaml-value.ts'

/** The keys and indexes that lead to a value of a document. */
export type Path = readonly (string | number)[]

/** From 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface ParsedDocument {
  readonly value: unknown
  /** The position of the value at a path. For a missing value: where it would be. `key`: the position of its name. */
  at(path: Path, part?: 'key' | 'value'): Position
  /** The source text of a scalar. */
  source(path: Path): string | undefined
}

interface Problem {
  readonly position: Position
  readonly message: string
}

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

const positionAt = (counter: LineCounter, offset: number): Position => {
  const { line, col } = counter.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
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

const writtenIn = (document: Document, root: Node | null, counter: LineCounter, value: unknown): ParsedDocument => ({
  value,
  at: (path, part = 'value') => {
    const { whole, found } = findDeepest(document, root, path)
    // A missing setting is reported at the start of the entry that lacks it.
    const node = part === 'key' || !whole ? (found.pair?.key ?? found.node) : (found.node ?? found.pair?.key)
    return positionAt(counter, offsetOf(node) ?? offsetOf(found.pair?.key) ?? 0)
  },
  source: (path) => {
    const { whole, found } = findDeepest(document, root, path)
    return whole && isScalar(found.node) ? found.node.source : undefined
  },
})

/** `count`: number of all problems. The last entry of `unreadable` may only say that there are more. */
interface Unreadable {
  readonly unreadable: readonly Problem[]
  readonly count: number
}

/** Reads YAML, and keeps the position of each value. */
export const readDocument = (text: string): ParsedDocument | Unreadable => {
  // A NUL byte means UTF-16.
  if (text.includes('\0')) return { unreadable: [{ position: { line: 1, column: 1 }, message: 'The file is not UTF-8 text.' }], count: 1 }
  const counter = new LineCounter()
  const document = parseDocument(text, { lineCounter: counter, merge: true, prettyErrors: false })
  const read = readValue(document)
  if ('value' in read) return writtenIn(document, document.contents, counter, read.value)
  const unreadable = read.problems.map(({ start, message }) => ({
    position: positionAt(counter, start),
    message: message.replace(/\.?$/, '.'),
  }))
  return { unreadable, count: read.count }
}
