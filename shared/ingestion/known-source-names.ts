import { cached } from '../platform/table/cached.ts'
import { sourcesOf } from './source-store.ts'

// Pure: functions that never refuse a source do not contain the query.
const load = /* @__PURE__ */ cached(async (owner: number) => (await sourcesOf(owner)).map(({ name }) => name))

/** The names of an owner's sources, up to 10 seconds old. For messages. */
export const knownSourceNames = async (owner: number): Promise<string[]> => (await load(owner)) ?? []
