import { createHash } from 'node:crypto'
import { type Dirent, globSync } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '#shared/platform/values/durations.ts'

interface Options {
  /** The project's folder. */
  readonly root: string
  /** Folder for bundles that have to be built. */
  readonly home: string
  readonly build: (outdir: string) => Promise<unknown>
}

/** The inputs of the bundles. npm's lock file stands for the installed packages. */
const SOURCES = ['{functions,shared,lib}/**', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

const CACHE = 'node_modules/.cache/lead-outreach-service'
/** Milliseconds. Unused bundles are removed only after this time, since a starting service may still copy them. */
const KEPT = 10 * MINUTE

/** A hash of all inputs. Undefined when there are symbolic links: their targets are not hashed, so nothing is cached. */
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

/** Removes unused bundles. Renames them first, so that nobody reads a half-removed folder. */
const removeUnused = async (cache: string): Promise<void> => {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (mtimeMs > Date.now() - KEPT) continue
    const gone = await mkdtemp(join(cache, 'gone-'))
    await rename(join(cache, name), join(gone, name))
    await rm(gone, { recursive: true })
  }
}

/** Copies the bundles to the cache. Renames the copy at the end, so that nobody reads a half-copied folder. */
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
 * The folder with the bundles of the present sources. A build takes most of a start, so bundles are cached until a source or a package
 * changes.
 */
export const keptBundles = async ({ root, home, build }: Options): Promise<string> => {
  const cache = join(root, CACHE)
  const name = await fingerprintOf(root)
  if (name !== undefined && (await isThere(join(cache, name)))) return join(cache, name)
  const bundles = join(home, 'bundles')
  await build(bundles)
  // When sources changed during the build, it is unclear which were read, so do not cache. The cache may also fail: it is not writable, or
  // another start adds the same bundles or removes old ones now. Then this start uses its own bundles.
  if (name !== undefined && name === (await fingerprintOf(root))) await keep(bundles, cache, name).catch(() => {})
  return bundles
}
