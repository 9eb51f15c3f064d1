import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { FileSystem } from 'aws-cdk-lib'
import { buildFunctions } from '#lib/build-functions.ts'
import { bundleName } from '#lib/constructs/bundle.ts'
import { routes } from '#lib/routes.ts'
import { FUNCTIONS } from '#test/support/stacks.ts'

let root: string

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const built = (path: string) => readFileSync(join(root, 'dist/functions', path), 'utf8')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-'))
  write('shared/greeting.ts', "export const greeting: string = 'hello'")
  for (const route of routes) {
    write(
      `functions/${route.function}.ts`,
      `import { greeting } from '${'../'.repeat(route.function.split('/').length)}shared/greeting.ts'\nexport const handler = async () => greeting\n`,
    )
  }
})

afterEach(() => rmSync(root, { recursive: true }))

describe('the build', () => {
  it('the build makes an ES module, a source map and a report for every function', async () => {
    write('functions/workers/sweep.ts', 'export const handler = async () => undefined')
    expect(await buildFunctions({ root })).toEqual([...new Set([...routes.map((route) => route.function), 'workers/sweep'])].sort())
    expect(built('leads-create/index.mjs')).toMatch(/hello.*export\{.* as handler\}/s)
    expect(JSON.parse(built('leads-create/index.mjs.map'))).not.toHaveProperty('sourcesContent')
    expect(Object.keys(JSON.parse(built('leads-create.meta.json')).inputs).sort()).toEqual([
      'functions/leads/create.ts',
      'shared/greeting.ts',
    ])
    expect(JSON.parse(built('workers-sweep.meta.json')).outputs['dist/functions/workers-sweep/index.mjs'].bytes).toBeGreaterThan(0)
  })

  it('the build is reproducible, and removes the output of deleted functions', async () => {
    write('functions/old.ts', 'export const handler = async () => undefined')
    await buildFunctions({ root })
    const before = built('leads-create/index.mjs') + built('leads-create/index.mjs.map')
    rmSync(join(root, 'functions/old.ts'))
    await buildFunctions({ root })
    expect(built('leads-create/index.mjs') + built('leads-create/index.mjs.map')).toBe(before)
    expect(existsSync(join(root, 'dist/functions/old'))).toBe(false)
    expect(existsSync(join(root, 'dist/functions/old.meta.json'))).toBe(false)
  })

  it('the build gives assets the same hashes in another folder', async () => {
    const folders = ['one', 'two'].map((name) => join(root, name))
    for (const outdir of folders) await buildFunctions({ outdir })
    const [one, two] = folders.map((folder) => FUNCTIONS.map(bundleName).map((name) => [name, FileSystem.fingerprint(join(folder, name))]))
    expect(one).toHaveLength(FUNCTIONS.length)
    expect(two).toEqual(one)
  })

  it('the build names a function in the routes table that does not exist', async () => {
    rmSync(join(root, 'functions/leads/create.ts'))
    await expect(buildFunctions({ root })).rejects.toThrow(
      'lib/routes.ts names the function leads/create, but functions/leads/create.ts exports no handler.',
    )
  })
})
