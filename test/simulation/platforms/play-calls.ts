import type { Call } from '#shared/calling/call.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE, SECOND } from '#shared/platform/values/durations.ts'
import { passTime, setClock } from '#test/support/clock.ts'
import { NOON } from '#test/support/samples.ts'
import { type Units, unitsOf } from '#test/support/units.ts'
import type { CallWorld } from './call-world.ts'
import type { Played, PlayedPlatform, RequestKind } from './played-platform.ts'

/** Events of a call besides its end. */
export const COURSES = ['callbacks', 'callbacks lost', 'answer lost', 'answer and callbacks lost', 'stopped'] as const
export type Course = (typeof COURSES)[number]

/** One call, after everything that follows from it. */
export interface PlayedCall {
  readonly platform: string
  readonly end: string
  readonly course: Course
  readonly isPolled: boolean
  readonly lead: number
  readonly call: Call
  /** As the API shows the lead. */
  readonly state: { readonly status: string; readonly status_detail: string | null; readonly next_call_time: string | null }
  readonly dials: number
  readonly requests: Readonly<Record<RequestKind, number>>
  readonly callbacks: number
  /** Callbacks that the service did not take. */
  readonly untaken: number
  /** Units of the dial, and of everything after it. */
  readonly units: { readonly dial: Units; readonly after: Units }
}

type Told = Pick<PlayedCall, 'callbacks' | 'untaken'>

/** How long each wait for a silent call takes. A call that was only just placed, and an ended conversation without its outcome. */
const AFTER_THE_REQUEST = 10 * SECOND
const AFTER_SILENCE = 11 * MINUTE
const AFTER_THE_END = 31 * MINUTE

const isOver = (call: Call): boolean => call.settled_time !== null

/** Places calls one after the other, each with a new agent, lead type and phone. */
export const callPlayer = (world: CallWorld) => {
  let number = 0
  const shown = async (id: string): Promise<Call> => {
    const call = await getCall(id)
    if (!call) throw new Error(`There is no call ${id}.`)
    return call
  }

  const watch = (callId: string): Promise<unknown> =>
    world.queue.consume([{ body: JSON.stringify({ type: 'watch', call_id: callId }), visible: now(), receives: 1 }])

  const handle = async (): Promise<void> => {
    for (let messages = world.queue.take(); messages.length > 0; messages = world.queue.take()) {
      world.queue.putBack(await world.queue.consume(messages))
    }
  }

  const deliver = async (): Promise<Told> => {
    const statuses: number[] = []
    for (const callback of await world.callbacks()) statuses.push(await world.deliver(callback))
    return { callbacks: statuses.length, untaken: statuses.filter((status) => status !== 200).length }
  }

  /** Everything after the dial. */
  const goOn = async (course: Course, callId: string, lead: number): Promise<Told> => {
    if (course.endsWith('callbacks lost')) await world.callbacks()
    if (course.startsWith('answer')) {
      passTime(AFTER_THE_REQUEST)
      await watch(callId)
    }
    if (course === 'stopped') {
      await world.patchLead(lead, { call_dnc: true })
      await handle()
    }
    const told = await deliver()
    for (const wait of [AFTER_SILENCE, AFTER_THE_END, AFTER_THE_END]) {
      if (isOver(await shown(callId))) break
      passTime(wait)
      await watch(callId)
    }
    return told
  }

  const counted = (platform: PlayedPlatform, { emulator }: Played): PlayedCall['requests'] => {
    const counts = { dial: 0, search: 0, read: 0, cancel: 0 }
    for (const request of emulator.seen) counts[platform.kindOf(request)]++
    return counts
  }

  return async (platform: PlayedPlatform, end: string, course: Course): Promise<PlayedCall> => {
    setClock(NOON)
    world.queue.clear()
    const id = 1000 + ++number
    const played = await world.addAgent(platform, { id, endOf: () => (course === 'stopped' ? undefined : end) })
    const phone = `+1212${200 + Math.floor(number / 10_000)}${`${number % 10_000}`.padStart(4, '0')}`
    const lead = await world.createLead({ phone_number: phone, lead_type: id })
    passTime(SECOND)
    const callId = `${lead}-1`
    played.emulator.dialFault = course.startsWith('answer') ? 'lost-after' : 'none'
    const dial = await unitsOf(handle)
    played.emulator.dialFault = 'none'
    let told: Told = { callbacks: 0, untaken: 0 }
    const after = await unitsOf(async () => {
      told = await goOn(course, callId, lead)
    })
    const call = await shown(callId)
    const state = await world.showLead(lead)
    const isNameless = platform.isKnownByReports === true && course === 'answer and callbacks lost'
    const isPolled = !platform.isNeverPolled && !isNameless
    const result = {
      ...{ platform: platform.name, isPolled, end, course, lead, call, state, ...told },
      units: { dial, after },
      dials: played.emulator.rung.length,
      requests: counted(platform, played),
    }
    await world.closeAgents()
    return result
  }
}
