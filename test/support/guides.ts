import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const PROJECT = resolve(import.meta.dirname, '../..')

/** A fenced block of a document. */
export interface Block {
  /** Text after the opening fence: a language, or `sh not-run: REASON`. */
  readonly info: string
  readonly text: string
  /** Line of the opening fence, from 1. */
  readonly line: number
}

export interface Document {
  /** Relative to the project's folder. */
  readonly path: string
  readonly text: string
}

const FENCE = /^( *)(`{3,})(.*)$/

/** The fenced blocks of a document, without their indentation. */
export const blocksOf = ({ text }: Document): Block[] => {
  const blocks: Block[] = []
  let open: { readonly info: string; readonly line: number; readonly indent: number; readonly fence: string } | undefined
  let content: string[] = []
  for (const [at, row] of text.split('\n').entries()) {
    const [, indent = '', fence = '', info = ''] = FENCE.exec(row) ?? []
    if (open === undefined) {
      if (fence !== '') open = { info: info.trim(), line: at + 1, indent: indent.length, fence }
      content = []
    } else if (fence === open.fence && info === '') {
      blocks.push({ info: open.info, text: content.join('\n'), line: open.line })
      open = undefined
    } else {
      content.push(row.slice(open.indent))
    }
  }
  return blocks
}

const documentsIn = (folder: string): Document[] =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
    .map((path) => join(folder, path))
    .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }))

export const README: Document = { path: 'README.md', text: readFileSync(join(PROJECT, 'README.md'), 'utf8') }

/** All documents for people: the README, the guides and the references. */
export const DOCUMENTS: readonly Document[] = [README, ...documentsIn('docs')]

/** The handwritten documents. */
export const GUIDES: readonly Document[] = DOCUMENTS.filter(({ path }) => !path.startsWith('docs/reference/'))
