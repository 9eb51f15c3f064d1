import { glob, readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from '@swc/core'

/** A regular expression of the code. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** Relative to the project's folder. */
  readonly file: string
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Node {
  readonly type?: unknown
  readonly pattern?: unknown
  readonly flags?: unknown
  readonly callee?: { readonly type?: unknown; readonly value?: unknown }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

/** All nodes of a syntax tree. Without recursion, because trees of long files are deep. */
function* nodesOf(tree: unknown): Generator<Node> {
  const open = [tree]
  for (let next = open.pop(); next !== undefined || open.length > 0; next = open.pop()) {
    if (!isNode(next)) continue
    yield next
    open.push(...Object.values(next))
  }
}

/** `new RegExp(…)` and `RegExp(…)`. */
const makesPattern = ({ type, callee }: Node): boolean =>
  (type === 'NewExpression' || type === 'CallExpression') && callee?.type === 'Identifier' && callee.value === 'RegExp'

export interface Found {
  /** Patterns written as literals. */
  readonly written: readonly Pattern[]
  /** Number of places per file that build a pattern from text. */
  readonly making: ReadonlyMap<string, number>
}

/** Finds all patterns in the syntax of the code that runs. */
export const findPatterns = async (): Promise<Found> => {
  const written: Pattern[] = []
  const making = new Map<string, number>()
  for await (const path of glob(`${ROOT}{bin,functions,lib,shared}/**/*.{ts,cjs}`)) {
    const file = relative(ROOT, path)
    for (const node of nodesOf(await parse(await readFile(path, 'utf8'), { syntax: 'typescript' }))) {
      if (node.type === 'RegExpLiteral') written.push({ source: `${node.pattern}`, flags: `${node.flags}`, file })
      if (makesPattern(node)) making.set(file, (making.get(file) ?? 0) + 1)
    }
  }
  return { written, making }
}
