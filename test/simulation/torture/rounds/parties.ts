import type { Adapter } from '#shared/agents/platforms/adapter.ts'
import { ADAPTERS } from '#shared/agents/platforms/adapters.ts'
import { blandAdapter } from '#shared/agents/platforms/bland/adapter.ts'
import { elevenLabsAdapter } from '#shared/agents/platforms/elevenlabs/adapter.ts'
import { openAdapter } from '#shared/agents/platforms/open/adapter.ts'
import { retellAdapter } from '#shared/agents/platforms/retell/adapter.ts'
import { telnyxAdapter } from '#shared/agents/platforms/telnyx/adapter.ts'
import { twilioAdapter } from '#shared/agents/platforms/twilio/adapter.ts'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import type { ReportedOutcome } from '#shared/calling/call.ts'
import { HOUR, MINUTE } from '#shared/platform/values/durations.ts'
import { playBland } from '../../platforms/play-bland.ts'
import { playElevenLabs } from '../../platforms/play-elevenlabs.ts'
import { playForgetful, playOpen } from '../../platforms/play-open.ts'
import { playRetell } from '../../platforms/play-retell.ts'
import { playTelnyx } from '../../platforms/play-telnyx.ts'
import { playTwilio } from '../../platforms/play-twilio.ts'
import { playVapi } from '../../platforms/play-vapi.ts'
import type { PlayedPlatform } from '../../platforms/played-platform.ts'
import { damaged, type RoundDefect } from './defects.ts'

/** The end of a call, by the platform's name for it. */
export interface PartyEnd {
  readonly end: string
  /** The outcomes that may be recorded for it: by callbacks, and by a poll where that tells less. */
  readonly outcomes: readonly ReportedOutcome[]
}

/** A platform in a round: one agent, and leads that it calls. */
export interface Party {
  readonly platform: PlayedPlatform
  /** Under this name its adapter is in the registry. `open` is the one agent without a platform. */
  readonly adapter: string
  readonly kind: Adapter['repeats']['kind']
  readonly ends: readonly PartyEnd[]
  readonly isPolled: boolean
  /** After a call is over, its phone and its line are free within this time, whatever was lost. */
  readonly blockedFor: number
}

/** Requests to a platform other than dials. */
export interface Asked {
  /** The calls that were looked up, by our ids. */
  readonly searched: Set<string>
  searches: number
  found: number
  polls: number
  told: number
}

/** Ten minutes of silence, then half an hour of polls. An agent of our own protocol may be silent for two hours after an answer. */
const POLLED = 40 * MINUTE
const HEARD = 2 * HOUR

const as = (end: string, ...outcomes: readonly ReportedOutcome[]): PartyEnd => ({ end, outcomes })

const OPEN_ENDS = [as('no_answer', 'no_answer'), as('not_interested', 'not_interested'), as('completed', 'completed'), as('busy', 'busy')]

const forgetfulAdapter: Adapter = { ...openAdapter, repeats: { kind: 'neither' } }

const PARTIES: readonly (Omit<Party, 'adapter' | 'isPolled' | 'kind'> & { readonly speaks: Adapter })[] = [
  { platform: playOpen, speaks: openAdapter, blockedFor: HEARD, ends: OPEN_ENDS },
  {
    ...{ platform: playTelnyx, speaks: telnyxAdapter, blockedFor: POLLED },
    // The record of a call does not tell why nobody answered.
    ends: [as('timeout', 'no_answer', 'unknown'), as('user_busy', 'busy', 'unknown'), as('said: not_interested', 'not_interested')],
  },
  {
    ...{ platform: playTwilio, speaks: twilioAdapter, blockedFor: POLLED },
    ends: [as('no-answer', 'no_answer'), as('busy', 'busy'), as('completed, human', 'completed')],
  },
  {
    ...{ platform: playVapi, speaks: vapiAdapter, blockedFor: POLLED },
    ends: [as('customer-did-not-answer', 'no_answer'), as('customer-busy', 'busy'), as('said: not_interested', 'not_interested')],
  },
  {
    ...{ platform: playBland, speaks: blandAdapter, blockedFor: POLLED },
    ends: [as('nobody', 'no_answer'), as('person_hung_up', 'not_interested'), as('stop_asked', 'do_not_call')],
  },
  {
    ...{ platform: playElevenLabs, speaks: elevenLabsAdapter, blockedFor: POLLED },
    ends: [as('call_result: no_answer', 'no_answer'), as('error: line_busy', 'busy'), as('said: not_interested', 'not_interested')],
  },
  {
    ...{ platform: playRetell, speaks: retellAdapter, blockedFor: POLLED },
    ends: [as('dial_no_answer', 'no_answer'), as('dial_busy', 'busy'), as('user_hangup', 'hung_up')],
  },
  // Its reports come in our own protocol: after a lost answer, nothing tells that it is a platform.
  { platform: playForgetful, speaks: forgetfulAdapter, blockedFor: HEARD, ends: OPEN_ENDS },
]

/** Counts what is asked. */
const counted = ({ find, poll, ...rest }: Adapter, asked: Asked): Adapter => ({
  ...rest,
  ...(find && {
    find: async (...search: Parameters<typeof find>) => {
      asked.searches++
      asked.searched.add(search[2].callId)
      const found = await find(...search)
      if (found !== null) asked.found++
      return found
    },
  }),
  ...(poll && {
    poll: async (...question: Parameters<typeof poll>) => {
      asked.polls++
      const polled = await poll(...question)
      if (polled.kind === 'translated') asked.told++
      return polled
    },
  }),
})

/** Adds an adapter of its own to the registry for each party. */
export const registerParties = (defect: RoundDefect | null): ReadonlyMap<Party, Asked> => {
  const registered = PARTIES.map(({ speaks, ...party }) => {
    const asked: Asked = { searched: new Set(), searches: 0, found: 0, polls: 0, told: 0 }
    const adapter = party.platform === playOpen ? 'open' : `counted-${party.platform.name}`
    if (adapter !== 'open') Object.assign(ADAPTERS, { [adapter]: counted(damaged(speaks, defect), asked) })
    return [{ ...party, adapter, kind: speaks.repeats.kind, isPolled: speaks.poll !== undefined }, asked] as const
  })
  return new Map(registered)
}
