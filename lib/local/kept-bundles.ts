import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR } from '#shared/domain/durations.ts'

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
const KEPT = HOUR

const fingerprintOf = async (root: string): Promise<string> => {
  const found = globSync(SOURCES, { cwd: root, withFileTypes: true })
  const files = found.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).sort()
  const texts = await Promise.all(files.map((file) => readFile(file)))
  const hash = createHash('sha256')
  for (const [at, text] of texts.entries()) hash.update(`${files[at]?.slice(root.length)} ${text.length}\n`).update(text)
  return hash.digest('hex')
}

const removeOld = async (cache: string): Promise<void> => {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (mtimeMs < Date.now() - KEPT) await rm(join(cache, name), { recursive: true, force: true })
  }
}

/** As a whole or not at all: whoever finds them may be another process. */
const keep = async (bundles: string, cache: string, name: string): Promise<void> => {
  await mkdir(cache, { recursive: true })
  await removeOld(cache)
  const half = await mkdtemp(join(cache, 'half-'))
  try {
    await cp(bundles, half, { recursive: true })
    await rename(half, join(cache, name))
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

/**
 * The folder of the bundles of the sources as they are. Building takes most of a start, so that they are kept until a source or a package
 * changes.
 */
export const keptBundles = async ({ root, home, build }: Options): Promise<string> => {
  const cache = join(root, CACHE)
  const name = await fingerprintOf(root)
  const kept = join(cache, name)
  try {
    await utimes(kept, new Date(), new Date())
    return kept
  } catch {
    const bundles = join(home, 'bundles')
    await build(bundles)
    // Somebody else may have kept the same meanwhile; and where nothing can be kept, every start builds.
    await keep(bundles, cache, name).catch(() => {})
    return bundles
  }
}
