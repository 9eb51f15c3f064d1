import { createHash } from 'node:crypto'
import { type Dirent, globSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '#shared/platform/values/durations.ts'

interface Options {
  /** The project's folder. */
  readonly root: string
  /** Where bundles are made that are not there yet. */
  readonly home: string
  readonly build: (outdir: string) => Promise<unknown>
}

/** What bundles are made of; the packages by what npm notes of those that it has installed. */
const SOURCES = ['{functions,shared,lib}/**', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

const CACHE = 'node_modules/.cache/lead-outreach-service'
/** After which bundles that nobody has used are removed: whoever starts meanwhile may still be copying them. */
const KEPT = 10 * MINUTE

/** Undefined: where links lead to is not looked at, so that nothing is kept. */
const fingerprintOf = async (root: string): Promise<string | undefined> => {
  const found = globSync(SOURCES, { cwd: root, withFileTypes: true })
  const isLinked = found.some((entry) => entry.isSymbolicLink()) || (await lstat(join(root, 'node_modules'))).isSymbolicLink()
  if (isLinked) return undefined
  const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name)
  const files = found
    .filter((entry) => entry.isFile())
    .map(pathOf)
    .sort()
  const hash = createHash('sha256')
  for (const file of files) {
    const text = await readFile(file)
    hash.update(`${file.slice(root.length)} ${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}

/** Nobody finds half of what is being removed. */
const removeUnused = async (cache: string): Promise<void> => {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (mtimeMs > Date.now() - KEPT) continue
    const gone = await mkdtemp(join(cache, 'gone-'))
    await rename(join(cache, name), join(gone, name))
    await rm(gone, { recursive: true })
  }
}

/** Nobody finds half of what is being copied. */
const keep = async (bundles: string, cache: string, name: string): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const half = await mkdtemp(join(cache, 'half-'))
  try {
    await cp(bundles, half, { recursive: true })
    await rename(half, join(cache, name))
  } finally {
    await rm(half, { recursive: true, force: true })
  }
  await removeUnused(cache)
}

const isThere = (folder: string): Promise<boolean> =>
  utimes(folder, new Date(), new Date()).then(
    () => true,
    () => false,
  )

/**
 * The folder of the bundles of the sources as they are. Building takes most of a start, so that they are kept until a source or a package
 * changes.
 */
export const keptBundles = async ({ root, home, build }: Options): Promise<string> => {
  const cache = join(root, CACHE)
  const name = await fingerprintOf(root)
  if (name !== undefined && (await isThere(join(cache, name)))) return join(cache, name)
  const bundles = join(home, 'bundles')
  await build(bundles)
  // Of sources that have changed meanwhile nobody knows which were read. Where nothing can be kept, and where somebody else keeps the same
  // or removes what is old at this moment, this start goes on with its own.
  if (name !== undefined && name === (await fingerprintOf(root))) await keep(bundles, cache, name).catch(() => {})
  return bundles
}
