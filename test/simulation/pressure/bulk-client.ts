import * as v from 'valibot'
import { SECOND } from '#shared/platform/values/durations.ts'
import { send } from '#test/support/api-event.ts'
import { keyOf } from '../lateness/seed.ts'
import type { VirtualTime } from '../lateness/virtual-time.ts'
import { personOf } from './people.ts'

export type BulkCreate = typeof import('#functions/leads/bulk-create.ts').handler

const FIRST_PHONE = 6_000_000
/** Phones of each client. */
const PHONES = 1_000_000
/** Milliseconds between client and function. */
const WAY = 30

const Results = v.object({ results: v.array(v.object({ id: v.nullable(v.number()), error: v.optional(v.string(), '') })) })

/** The seconds to wait before an item with this error is sent again. Undefined: it was refused for good. */
const secondsIn = (error: string): number | undefined =>
  /send (this|it) again/.test(error) ? Number(/in (\d+) seconds/.exec(error)?.[1] ?? 1) : undefined

interface Options {
  readonly time: VirtualTime
  readonly handler: BulkCreate
  readonly owner: number
  /** Number of this client, from 0. */
  readonly client: number
  /** Leads in a request. */
  readonly size: number
  readonly until: number
}

/** A client that always has one request in flight. It sends unfinished leads again as the answers ask it to. */
export const startBulkClient = ({ time, handler, owner, client, size, until }: Options) => {
  const seen = { created: [] as string[], faults: [] as string[], waits: 0 }
  let people = 0
  let requests = 0
  const next = () => personOf(FIRST_PHONE + client * PHONES, people++)
  type Person = ReturnType<typeof next>

  /** Repeats a request that was refused as a whole. */
  const post = async (leads: readonly Person[]) => {
    const headers = { Authorization: `Token ${keyOf(owner)}`, 'Idempotency-Key': `pressure-${client}-${++requests}` }
    for (;;) {
      await time.sleep(WAY)
      const { status, json, headers: answered } = await send(handler, { path: '/api/leads/bulk-create/', headers, body: { leads } })
      if (status === 200) return v.parse(Results, json).results
      if (status !== 429 && status !== 503) throw new Error(`A bulk request was answered ${status}: ${JSON.stringify(json)}`)
      seen.waits++
      await time.sleep(SECOND * Number(answered['Retry-After'] ?? 1))
    }
  }
  const run = async (): Promise<void> => {
    let left: Person[] = []
    while (time.now() < until) {
      const leads = [...left, ...Array.from({ length: size - left.length }, next)]
      const results = await post(leads)
      left = []
      let wait = 0
      for (const [place, { id, error }] of results.entries()) {
        const person = leads[place]
        const seconds = secondsIn(error)
        if (!person) continue
        if (id !== null) seen.created.push(person.phone_number)
        else if (seconds === undefined) seen.faults.push(`A lead of a bulk request was refused: ${error}`)
        else {
          left.push(person)
          wait = Math.max(wait, seconds)
        }
      }
      if (wait > 0) seen.waits++
      await time.sleep(SECOND * wait)
    }
  }
  run().catch((error) => seen.faults.push(`${error}`))
  return seen
}
