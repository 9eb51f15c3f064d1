import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const SHARED = resolve(import.meta.dirname, '../../shared')

/** Paths of the files of `shared`, relative to it. */
const paths = readdirSync(SHARED, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

const textOf = new Map(paths.map((path) => [path, readFileSync(join(SHARED, path), 'utf8')]))

/** The files of `shared` that a file imports. */
const importsOf = (path: string): string[] =>
  [...textOf.get(path)!.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, name]) => posix.join(dirname(path), name!))

/** The first folder of a path, which is the file's noun. */
const nounOf = (path: string): string => path.split('/')[0]!

/** Everything that a file imports, directly or through others. */
const reachedFrom = (path: string, seen = new Set<string>()): Set<string> => {
  for (const next of importsOf(path)) {
    if (seen.has(next)) continue
    seen.add(next)
    reachedFrom(next, seen)
  }
  return seen
}

describe('a noun of shared', () => {
  const LIBRARIES = ['platform', 'data']
  const OPEN_FOLDERS = ['rules', 'api', 'fields', 'responses']

  /** Whether other nouns may import a file: it must be directly in a noun's folder or in one of its open folders. */
  const isPublic = (path: string): boolean => {
    const folders = dirname(path).split('/')
    return LIBRARIES.includes(nounOf(path)) || folders.length === 1 || (folders.length === 2 && OPEN_FOLDERS.includes(folders[1]!))
  }

  it('a noun of shared hides its private subfolders from other nouns', () => {
    const intrusions = paths.flatMap((path) =>
      importsOf(path)
        .filter((other) => nounOf(other) !== nounOf(path) && !isPublic(other))
        .map((other) => `${path} imports ${other}`),
    )
    expect(intrusions).toEqual([])
  })
})

describe('a pure file', () => {
  const PURE = /^(\w+\/(rules|api)|http\/(fields|responses)|platform\/values|data)\//
  const INPUT_OR_OUTPUT = /from '(@aws-sdk|@smithy|@aws-lambda-powertools|node:(?!crypto))|\bprocess\.env\b|\bDate\.now\b/

  it('a pure file reaches no input or output, directly or through its imports', () => {
    const pure = paths.filter((path) => PURE.test(path))
    expect(pure.length).toBeGreaterThan(0)
    const impure = pure.flatMap((path) =>
      [path, ...reachedFrom(path)]
        .filter((reached) => INPUT_OR_OUTPUT.test(textOf.get(reached)!))
        .map((reached) => `${path} reaches ${reached}`),
    )
    expect(impure).toEqual([])
  })
})
