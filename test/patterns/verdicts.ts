import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Diagnostics } from 'recheck'
import * as v from 'valibot'
import { type Pattern, ROOT } from './found.ts'

/** Cached verdicts: checking all patterns takes a minute, and few of them change. */
const FILE = `${ROOT}node_modules/.cache/patterns.json`

const Verdicts = v.record(v.string(), v.string())

const kept = async (by: string): Promise<Map<string, string>> => {
  try {
    const all = v.parse(v.object({ by: v.literal(by), verdicts: Verdicts }), JSON.parse(await readFile(FILE, 'utf8')))
    return new Map(Object.entries(all.verdicts))
  } catch {
    return new Map()
  }
}

export const keyOf = ({ source, flags }: Pick<Pattern, 'source' | 'flags'>): string => `/${source}/${flags}`

/**
 * Steps and a fixed seed bound the search, not time, so that a busy machine gets the same verdicts. A pattern is slow if it
 * takes more than 166 steps per character of the longest text, which has 30,000.
 */
const BOUNDS = {
  randomSeed: 1,
  maxAttackStringSize: 30_000,
  attackLimit: 5_000_000,
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
}

const tell = (found: Diagnostics): string => {
  if (found.status === 'safe') return 'safe'
  return found.status === 'vulnerable' ? `${found.complexity.summary}: ${found.attack.pattern}` : `not known: ${found.error.kind}`
}

/** Verdict of recheck on each pattern: `safe`, or how its time grows and with which text. */
export const verdictsOn = async (patterns: readonly Pattern[]): Promise<ReadonlyMap<string, string>> => {
  // The JavaScript version needs neither Java nor a platform binary.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  const { version } = v.parse(
    v.object({ version: v.string() }),
    JSON.parse(await readFile(`${ROOT}node_modules/recheck/package.json`, 'utf8')),
  )
  const by = `${version} ${JSON.stringify(BOUNDS)}`
  const before = await kept(by)
  const verdicts = new Map<string, string>()
  const added = new Set(patterns.map(keyOf).filter((key) => !before.has(key))).size
  if (added > 0) process.stderr.write(`Checking ${added} patterns that were not checked before. All of them together take minutes.\n`)
  let checked = 0
  for (const pattern of patterns) {
    const key = keyOf(pattern)
    if (verdicts.has(key)) continue
    const known = before.get(key)
    verdicts.set(key, known ?? tell(checkSync(pattern.source, pattern.flags, BOUNDS)))
    if (known === undefined && ++checked % 20 === 0) process.stderr.write(`  ${checked} of ${added}\n`)
  }
  await mkdir(dirname(FILE), { recursive: true })
  await writeFile(FILE, JSON.stringify({ by, verdicts: Object.fromEntries(verdicts) }))
  return verdicts
}
