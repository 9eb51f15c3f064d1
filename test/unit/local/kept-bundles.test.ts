import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { keptBundles } from '#lib/local/kept-bundles.ts'
import { DAY } from '#shared/platform/values/durations.ts'

let root: string
let home: string
let builds: number
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kept-root-'))
  home = mkdtempSync(join(tmpdir(), 'kept-home-'))
  builds = 0
  for (const folder of ['functions/a', 'shared', 'lib', 'node_modules']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'functions/a/index.ts'), '1')
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{}')
})
afterEach(() => {
  for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
})

const cache = () => join(root, 'node_modules/.cache/lead-outreach-service')

const build = async (outdir: string) => {
  mkdirSync(outdir, { recursive: true })
  writeFileSync(join(outdir, 'bundle'), `${++builds}`)
}

/** Content of the bundles that a start uses. */
const started = async () => readFileSync(join(await keptBundles({ root, home, build }), 'bundle'), 'utf8')

it('bundles are built once and reused by later starts', async () => {
  expect([await started(), await started(), await started()]).toEqual(['1', '1', '1'])
})

it.each([
  ['a source', 'functions/a/index.ts', '2'],
  ['a new source', 'shared/b.ts', ''],
  ['a setting', 'tsconfig.json', '{}'],
  ['a package', 'node_modules/.package-lock.json', '{ }'],
])('bundles are built again when %s changes', async (_, file, text) => {
  await started()
  writeFileSync(join(root, file), text)
  expect([await started(), await started()]).toEqual(['2', '2'])
})

it('bundles are built by each start when the cache cannot be written', async () => {
  writeFileSync(join(root, 'node_modules/.cache'), 'no folder')
  expect([await started(), await started()]).toEqual(['1', '2'])
})

it('bundles are built by each start when a source is a link', async () => {
  symlinkSync(join(root, 'functions/a/index.ts'), join(root, 'shared/linked.ts'))
  expect([await started(), await started()]).toEqual(['1', '2'])
  expect(existsSync(cache())).toBe(false)
})

it('bundles are not cached when a source changes during the build', async () => {
  const source = join(root, 'functions/a/index.ts')
  const changing = async (outdir: string) => {
    writeFileSync(source, 'changed')
    await build(outdir)
    writeFileSync(source, 'changed again')
  }
  await keptBundles({ root, home, build: changing })
  writeFileSync(source, '1')
  expect(await started()).toBe('2')
})

it('bundles of simultaneous starts become one complete cache entry', async () => {
  const homes = ['a', 'b', 'c'].map((name) => join(home, name))
  const found = await Promise.all(homes.map((one) => keptBundles({ root, home: one, build })))
  expect(found).toEqual(homes.map((one) => join(one, 'bundles')))
  expect(readdirSync(cache())).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(readdirSync(await keptBundles({ root, home, build }))).toEqual(['bundle'])
  expect(builds).toBe(3)
})

it('bundles that are unused for long are removed from the cache', async () => {
  await started()
  const [old] = readdirSync(cache())
  mkdirSync(join(cache(), 'half-of-a-start-that-was-killed'))
  for (const name of readdirSync(cache())) utimesSync(join(cache(), name), new Date(0), new Date(Date.now() - DAY))
  writeFileSync(join(root, 'lib/c.ts'), '')
  expect(await started()).toBe('2')
  expect(readdirSync(cache())).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect(readdirSync(cache())).not.toContain(old)
})
