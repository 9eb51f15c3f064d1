import { cached } from '../platform/table/cached.ts'
import { readableLeadTypesOf } from './lead-type-store.ts'

// Pure: functions that never refuse a lead type do not contain the query.
const load = /* @__PURE__ */ cached(readableLeadTypesOf)

/** All lead types of an owner that can be read, up to 10 seconds old. The items of a bulk request share one query. */
export const knownLeadTypes = async (owner: number) => (await load(owner)) ?? []
