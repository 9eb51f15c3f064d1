import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Pattern, ROOT } from './found.ts'

/** Calls that build every kind of pattern in files that do so when called, not when loaded. */
const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  'shared/erasure/rules/mention.ts': async () => {
    const { mentionsOf } = await import('#shared/erasure/rules/mention.ts')
    return ['+12125550001', '+12125550000', '+442079460958'].map(mentionsOf)
  },
  'shared/ingestion/rules/dates.ts': async () => {
    const { dateReader } = await import('#shared/ingestion/rules/dates.ts')
    return dateReader(['YYYYMMDD', 'MM/DD/YYYY hh:mm:ss A', 'YY.M.D H:mm', '  M  D  YYYY  '])
  },
  'lib/ops/target.ts': async () => {
    const { stacksOf } = await import('#lib/ops/target.ts')
    return stacksOf('prod-eu')
  },
  'lib/local/template/resolve.ts': async () => {
    const { createResolver } = await import('#lib/local/template/resolve.ts')
    return createResolver([], { account: '000000000000', region: 'us-east-1' }, { api: '', bucket: '', queue: '', table: '' } as never)
  },
}

/** The calling place in a file of the project. */
const callerIn = (file: string, stack: string): string | undefined => {
  const line = stack.split('\n').find((frame) => frame.includes(`/${file}:`))
  return line && /:\d+:\d+/.exec(line)?.[0]
}

interface Made {
  readonly patterns: readonly Pattern[]
  /** Files in which some place never built a pattern. */
  readonly missed: readonly string[]
}

/** Patterns that files build from text when they are loaded and called. */
export const makePatterns = async (files: ReadonlyMap<string, number>): Promise<Made> => {
  const patterns: Pattern[] = []
  const places = new Map([...files.keys()].map((file) => [file, new Set<string>()]))
  const own = globalThis.RegExp
  const note = (pattern: RegExp): RegExp => {
    const stack = new Error().stack ?? ''
    for (const [file, seen] of places) {
      const place = callerIn(file, stack)
      if (place === undefined) continue
      seen.add(place)
      patterns.push({ source: pattern.source, flags: pattern.flags, file })
    }
    return pattern
  }
  globalThis.RegExp = new Proxy(own, {
    construct: (target, args, self) => note(Reflect.construct(target, args, self)),
    apply: (target, self, args) => note(Reflect.apply(target, self, args)),
  })
  try {
    for (const file of files.keys()) {
      await import(pathToFileURL(join(ROOT, file)).href)
      await CALLS[file]?.()
    }
  } finally {
    globalThis.RegExp = own
  }
  return { patterns, missed: [...files].flatMap(([file, count]) => ((places.get(file)?.size ?? 0) < count ? [file] : [])) }
}
