import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const PROJECT = resolve(import.meta.dirname, '../..')
const FOLDERS = ['bin', 'functions', 'lib', 'shared', 'test']

interface SourceFile {
  /** Relative to the project's folder. */
  readonly path: string
  readonly text: string
}

const files: SourceFile[] = FOLDERS.flatMap((folder) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
)
  .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }))

/** Generated files say so at their start. */
const isGenerated = ({ text }: SourceFile): boolean => text.slice(0, 300).includes('do not edit.')

const pathsOf = (found: readonly SourceFile[]): string[] => found.map(({ path }) => path)

/** The imports of a file, as it writes them. */
const importsOf = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^'"\n]*?(?:\{[^}]*\}[^'"\n]*?)?['"]([^'"\n]+)['"]/gm)].map(([, name]) => name!)

const topOf = (path: string): string => path.split(sep)[0]!

describe('a file', () => {
  const MOST_LINES = 250
  /** A translation of the console replaces one file. */
  const TEXTS = join('lib', 'console', 'texts.ts')

  it(`a file has no more than ${MOST_LINES} lines, for past that there are two ideas in it`, () => {
    const long = files.filter((file) => file.text.split('\n').length - 1 > MOST_LINES && !isGenerated(file))
    expect(pathsOf(long).filter((path) => path !== TEXTS)).toEqual([])
  })

  it('a file has no vague name such as utils', () => {
    const vague = /^(utils?|helpers?|managers?|common|misc|shared|stuff|types|constants)$/
    expect(
      pathsOf(files).filter((path) =>
        path
          .split(sep)
          .slice(1)
          .some((part) => vague.test(part.replace(/\..*$/, ''))),
      ),
    ).toEqual([])
  })

  it('a file has a name in lower case, with hyphens between words', () => {
    expect(pathsOf(files).filter((path) => !/^[a-z0-9-]+(\.(test|d))?\.[cm]?[jt]sx?$/.test(basename(path)))).toEqual([])
  })

  it('a file belongs in the folder test if it is a test', () => {
    expect(pathsOf(files).filter((path) => path.endsWith('.test.ts') && topOf(path) !== 'test')).toEqual([])
  })
})

describe('an import', () => {
  /** Files whose imports break this rule and still have to be corrected. */
  const ASTRAY = ['lib/ops/target.ts']

  const isAstray = (path: string, name: string): boolean => {
    const top = topOf(path)
    if (!name.startsWith('.')) return top !== 'test' && name.startsWith(`#${top}/`)
    const aim = topOf(relative(PROJECT, resolve(PROJECT, dirname(path), name)))
    return FOLDERS.includes(aim) && aim !== top
  }

  it('an import is relative within its top folder, and starts with #folder/ elsewhere', () => {
    const astray = files.filter((file) => importsOf(file).some((name) => isAstray(file.path, name)))
    expect(pathsOf(astray).filter((path) => !ASTRAY.includes(path))).toEqual([])
  })
})

describe('a file of functions', () => {
  it('a file of functions exports a handler, or is imported by one that does', () => {
    const functions = files.filter(({ path }) => topOf(path) === 'functions')
    const imported = functions.flatMap((file) => importsOf(file).map((name) => join(dirname(file.path), name)))
    const handlers = functions.filter(({ text }) => /^export const handler\b/m.test(text))
    expect(handlers.length).toBeGreaterThan(0)
    expect(pathsOf(functions.filter((file) => !handlers.includes(file) && !imported.includes(file.path)))).toEqual([])
  })
})

describe('an exported name', () => {
  const exportsOf = ({ text }: SourceFile): string[] => [
    ...new Set([...text.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)].map(([, name]) => name!)),
  ]

  /** Each Lambda function exports its handler by this name. */
  const SHARED_BY_DESIGN = ['handler']

  it('an exported name belongs to only one file', () => {
    // A program that generates source contains that file's exports as text.
    const sources = files.filter(({ path }) => topOf(path) !== 'test' && !/^lib\/(calling-rules|location-data)\//.test(path))
    const found = sources.flatMap((file) => exportsOf(file).map((name) => ({ name, path: file.path })))
    const byName = Map.groupBy(found, ({ name }) => name)
    const repeated = [...byName].filter(([name, places]) => places.length > 1 && !SHARED_BY_DESIGN.includes(name))
    expect(repeated.map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`)).toEqual([])
  })
})

describe('a folder of the source', () => {
  const MOST_FILES = 15

  it(`a folder of the source has no more than ${MOST_FILES} files`, () => {
    const source = files.filter(({ path }) => topOf(path) !== 'test')
    const byFolder = Map.groupBy(source, ({ path }) => dirname(path))
    expect([...byFolder].filter(([, found]) => found.length > MOST_FILES).map(([folder]) => folder)).toEqual([])
  })
})
