import * as v from 'valibot'
import { openText, sealText, type Whose } from '../platform/sealing.ts'
import type { Subscription } from './webhook.ts'

/** The subscription that owns the headers. Opening them requires the same one. */
type Sealed = Pick<Subscription, 'owner' | 'id'>
type Headers = Readonly<Record<string, string>>

const whoseOf = ({ owner, id }: Sealed): Whose => ({ owner: `${owner}`, subscription: `${id}` })

/** Pairs instead of an object, so that a header name such as `__proto__` is only data. */
const Pairs = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string()])))

/** @returns null when there are none @throws when the key service refuses, or does not answer in time */
export const sealHeaders = async (headers: Headers, subscription: Sealed): Promise<string | null> =>
  Object.keys(headers).length === 0 ? null : sealText(JSON.stringify(Object.entries(headers)), whoseOf(subscription))

/** The opened headers of a subscription; empty when it has none. @throws when they cannot be opened; then never send without them */
export const openHeaders = async ({ headers, ...subscription }: Sealed & Pick<Subscription, 'headers'>): Promise<Headers> =>
  headers === null ? {} : Object.fromEntries(v.parse(Pairs, await openText(headers, whoseOf(subscription))))
