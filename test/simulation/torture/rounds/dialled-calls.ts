import { now } from '#shared/platform/clock.ts'
import type { Chance } from '../../lateness/chance.ts'
import { courseOf, type LineUp } from './line-up.ts'
import type { Party, PartyEnd } from './parties.ts'

/** A phone that rang, as its platform knows it. */
export interface DialledCall extends PartyEnd {
  readonly party: Party
  readonly platformCallId: string
  readonly callId: string
  readonly phone: string
  readonly rangAt: number
  /** When the call ends by itself. */
  readonly endsAt: number
  endedAt: number | null
  /** The service had it ended. */
  isCancelled: boolean
}

/** Calls at the platforms, in the order in which they rang. */
export const dialledCalls = (chance: Chance, { agents }: LineUp) => {
  const all: DialledCall[] = []
  const known = new Map([...agents.keys()].map((party) => [party, { rung: 0, seen: 0 }]))

  /** The requests to end a call name it in their path or, in our own protocol, in their body. */
  const noteCancels = (party: Party, path: string, body: string): void => {
    for (const call of all) {
      const isMeant = call.party === party && (path.includes(encodeURIComponent(call.platformCallId)) || body.includes(`"${call.callId}"`))
      if (isMeant && call.endedAt === null) Object.assign(call, { endedAt: now(), isCancelled: true })
    }
  }

  /** Notes what has happened at the platforms since the last time. */
  const note = (): void => {
    for (const [party, { emulator }] of agents) {
      const seen = known.get(party) ?? { rung: 0, seen: 0 }
      for (const { platformCallId, callId, to } of emulator.rung.slice(seen.rung)) {
        const { lasts, ...end } = courseOf(chance, party)
        const course = { ...end, rangAt: now(), endsAt: now() + lasts, endedAt: null, isCancelled: false }
        all.push({ party, platformCallId, callId: `${callId}`, phone: to, ...course })
      }
      for (const request of emulator.seen.slice(seen.seen)) {
        // A request that the platform refused ends nothing. Retell refuses it while the phone rings.
        if (party.platform.kindOf(request) === 'cancel' && (request.status ?? 0) < 400) noteCancels(party, request.path, request.body)
      }
      known.set(party, { rung: emulator.rung.length, seen: emulator.seen.length })
    }
  }

  return {
    all,
    note,
    /** When the next call ends by itself. */
    next: (): number => Math.min(...all.filter(({ endedAt }) => endedAt === null).map(({ endsAt }) => endsAt)),
    /** Ends the calls whose time is over. */
    end: (): void => {
      for (const call of all) {
        if (call.endedAt !== null || call.endsAt > now()) continue
        agents.get(call.party)?.end(call.platformCallId, call.end)
        call.endedAt = now()
      }
    },
  }
}
