import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { transform } from 'esbuild'

const CONSOLE = join(import.meta.dirname, '../../../lib/console')
const PAGE = join(import.meta.dirname, '../../../functions/console/page.ts')

/** The sources of the console but the texts, by path. Without comments and types, and with calls instead of elements. */
const sources = async (): Promise<readonly (readonly [path: string, code: string])[]> => {
  const paths = globSync('**/*.{ts,tsx}', { cwd: CONSOLE }).filter((path) => path !== 'texts.ts')
  const code = (path: string) =>
    transform(readFileSync(join(CONSOLE, path), 'utf8'), { loader: path.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic', charset: 'utf8' })
  return Promise.all(paths.map(async (path) => [path, (await code(path)).code] as const))
}

/** Texts that a view shows, or that a screen reader reads: children of an element, and some attributes. */
const SHOWN = /\b"?(?:children|aria-label|title|placeholder|alt|label|legend|hint)"?: \[?\s*(["`])(?=[^"`]*\p{L}{2})[^"`$]*\1/gu
/** Two words in a row: one of several children, or a text with values in it. */
const WORDS = /(?<=[[(:,?=] ?)(["`])(?=[^"`\n]*\b\p{Ll}{2,} \p{Ll}{2,}\b)[^"`\n;=(){}]*\1/gu
const LANGUAGES = /["'`][a-z]{2}-[A-Z]{2}["'`]/g

/** Words that nobody sees: names of classes and keys of queries. */
const UNSEEN = [/^"(verdict|note|scale|badge|field|plain|banner|wide)\b[\w -]*"$/, /^"(lead types|service state)"$/, /^"use strict"$/]

const found = async (pattern: RegExp, isLeftOut: (text: string) => boolean = () => false): Promise<string[]> =>
  (await sources()).flatMap(([path, code]) =>
    [...code.matchAll(pattern)].flatMap(([text]) => (isLeftOut(text) ? [] : [`${path}: ${text}`])),
  )

describe('the texts of the console', () => {
  it('no view contains a text of its own, so that a translation replaces one file', async () => {
    expect(await found(SHOWN)).toEqual([])
    expect(await found(WORDS, (text) => UNSEEN.some((unseen) => unseen.test(text)))).toEqual([])
  })

  it('only the texts name their language; the format of inputs is that of Sweden', async () => {
    expect(await found(LANGUAGES, (text) => text === '"sv-SE"')).toEqual([])
  })

  it('the page contains no text of its own', () => {
    const [, document = ''] = /`(<!doctype.*)`/s.exec(readFileSync(PAGE, 'utf8')) ?? []
    expect(document).toContain('<noscript>')
    expect(document.replaceAll(/\$\{[^}]*\}|<[^>]*>/g, '').trim()).toBe('')
  })
})
