import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { ServiceReply } from './delivery.ts'
import type { AgentCall } from './ledger.ts'
import { APPOINTMENT } from './steps.ts'

interface BookingOptions {
  /** Asks one of the service's calendar routes for this call. */
  readonly ask: (route: 'slots' | 'book', body: Readonly<Record<string, unknown>>) => Promise<ServiceReply | undefined>
  /** Notes the start before it is asked for, so that the agent asks for the same one after a restart. */
  readonly choose: (start: string) => void
  /** Milliseconds before the agent asks again. */
  readonly pause: number
  readonly signal: AbortSignal
}

const MOST_TRIES = 10
const CONFLICT = 409
const TAKEN = 'The slot is taken.'

const Found = v.pipe(v.string(), v.parseJson(), v.object({ slots: v.array(v.object({ start_time: v.string() })) }))

const isSuccess = (reply: ServiceReply | undefined): boolean => reply !== undefined && reply.status >= 200 && reply.status < 300

/** Calls that look at the same slots choose different ones, most of the time. */
const pick = <T>(slots: readonly T[], name: string): T | undefined =>
  slots[createHash('sha256').update(name).digest().readUInt32BE(0) % slots.length]

/** Books a slot through the service, as an agent does in a call. @returns whether the call has its appointment */
export const bookSimulatedAppointment = async (call: AgentCall, { ask, choose, pause, signal }: BookingOptions): Promise<boolean> => {
  let start = call.chosenStart
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if (start === undefined) {
      const found = v.safeParse(Found, (await ask('slots', { call_id: call.key }))?.body)
      start = found.success ? pick(found.output.slots, `${call.key} ${tries}`)?.start_time : undefined
      if (start === undefined) return false
      choose(start)
    }
    const booked = await ask('book', { call_id: call.key, start_time: start, ...APPOINTMENT })
    if (isSuccess(booked)) return true
    if (booked?.status !== CONFLICT) return false
    // Another conflict: the service is still asking the calendar for this start.
    if (booked.body.includes(TAKEN)) start = undefined
    else await sleep(pause, undefined, { signal })
  }
  return false
}
