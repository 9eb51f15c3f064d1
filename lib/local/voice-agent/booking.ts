import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import type { ServiceReply } from './delivery.ts'
import type { AgentCall } from './ledger.ts'
import { APPOINTMENT } from './steps.ts'

interface BookingOptions {
  /** Calls one of the service's calendar routes for this call. */
  readonly ask: (route: 'slots' | 'book', body: Readonly<Record<string, unknown>>) => Promise<ServiceReply | undefined>
  /** Records the chosen start before the request, so that a restarted agent asks for the same one. */
  readonly choose: (start: string) => void
  /** Milliseconds before a retry. */
  readonly pause: number
  readonly signal: AbortSignal
}

const MOST_TRIES = 10
const CONFLICT = 409
const TAKEN = 'The slot is taken.'

const Found = v.pipe(v.string(), v.parseJson(), v.object({ slots: v.array(v.object({ start_time: v.string() })) }))

const isSuccess = (reply: ServiceReply | undefined): boolean => reply !== undefined && reply.status >= 200 && reply.status < 300

/** Spreads calls over the slots: calls that see the same slots usually choose different ones. */
const pick = <T>(slots: readonly T[], name: string): T | undefined =>
  slots[createHash('sha256').update(name).digest().readUInt32BE(0) % slots.length]

/** Books a slot through the service, as an agent does during a call. @returns whether it is booked */
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
    // Any other conflict: the service's own request to the calendar for this start is still in progress.
    if (booked.body.includes(TAKEN)) start = undefined
    else await sleep(pause, undefined, { signal })
  }
  return false
}
