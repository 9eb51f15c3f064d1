import { getCall } from '#shared/calling/call-store.ts'
import { callsOnLines, getLines } from '#shared/calling/line-store.ts'
import { now } from '#shared/platform/clock.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { getPhones, phonePk } from '#shared/stops/phone-store.ts'
import type { DialledCall } from './dialled-calls.ts'
import type { LineUp } from './line-up.ts'

/** A call that held its phone or a line for too long. */
export interface Hold {
  readonly callId: string
  readonly what: 'phone' | 'line'
  /** After the call was over. */
  readonly minutes: number
}

const EVERY = 5 * MINUTE
/** A report may be this late, and a sweep too. */
const LATE = 4 * MINUTE

/** Looks now and then who holds a phone or a line. */
export const holdWatch = ({ owner, leads }: LineUp, dialled: readonly DialledCall[], sweeps: number) => {
  const holds = new Map<string, Hold>()
  let looked = 0
  let mostLines = 0
  let phones: readonly string[] | undefined

  /** When the call was over: at its end, or when it can no longer have been placed. Undefined: it goes on. */
  const overSince = async (callId: string): Promise<number | undefined> => {
    const calls = dialled.filter((call) => call.callId === callId)
    if (calls.some(({ endedAt }) => endedAt === null)) return undefined
    const { not_after = 0 } = (await getCall(callId)) ?? {}
    return Math.max(not_after, ...calls.map(({ endedAt }) => endedAt ?? 0))
  }
  const note = async (callId: string, what: Hold['what']): Promise<void> => {
    const party = leads.find(({ id }) => callId.startsWith(`${id}-`))?.party
    const over = await overSince(callId)
    if (!party || over === undefined) return
    if (now() - over > party.blockedFor + LATE + sweeps) {
      holds.set(`${callId} ${what}`, { callId, what, minutes: Math.round((now() - over) / MINUTE) })
    }
  }
  return {
    look: async (): Promise<void> => {
      if (now() < looked + EVERY) return
      looked = now()
      phones ??= await Promise.all([...new Set(leads.map(({ phone }) => phone))].map((phone) => phonePk(`group-${owner}`, phone)))
      const calls = await callsOnLines(owner, await getLines(owner))
      mostLines = Math.max(mostLines, calls.length)
      for (const callId of calls) await note(callId, 'line')
      for (const { current_call } of (await getPhones(phones)).values()) if (current_call !== null) await note(current_call, 'phone')
    },
    result: () => ({ holds: [...holds.values()], mostLines }),
  }
}
