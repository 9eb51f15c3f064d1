import { describe, expect, it } from '@jest/globals'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { isVapiAccountFault, vapiEnd } from '#shared/agents/platforms/vapi/ends.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { ask } from '#test/support/platforms/emulator.ts'
import type { VapiScript } from '#test/support/platforms/vapi-emulator.ts'
import { vapiWorld } from '#test/support/platforms/vapi-world.ts'
// Not the package's entry, which loads thousands of files.
import { CallEndedReason } from '../../../node_modules/@vapi-ai/server-sdk/dist/esm/api/types/CallEndedReason.mjs'

const { world } = closedWorlds(vapiWorld)

const TALKS = '+12125551234'

/** Reports of a call that follows the script. */
const reportsOf = async (script: VapiScript) => {
  const made = await world({ script: () => script })
  await made.call(TALKS)
  return made.reports()
}
const typesOf = (reports: readonly { readonly type: string }[]) => reports.map(({ type }) => type)

describe('an end reason', () => {
  const reasons = Object.values(CallEndedReason)

  /** Reasons of one model, voice or transcriber are too many to list: these are the documented families. */
  const FAMILIES = [
    /^pipeline-error-/,
    /^pipeline-no-available-/,
    /^call\.in-progress\.error-(vapifault|providerfault|configfault|pipeline|warm-transfer)-/,
    /^call\.start\.error-/,
    /^assistant-request-(failed|returned-)/,
  ]
  /** The others, with their ends. A forwarded call ends as its transfer does. */
  const ENDS: Readonly<Record<string, string>> = {
    'customer-did-not-answer': 'no_answer',
    'customer-busy': 'busy',
    'twilio-reported-customer-misdialed': 'disconnected',
    'call-start-error-neither-assistant-nor-server-set': 'failed',
    'assistant-not-found': 'failed',
    'assistant-not-valid': 'failed',
    'scheduled-call-deleted': 'failed',
    'call.start.assistant-version-error-validation': 'failed',
    'twilio-failed-to-connect-call': 'failed',
    'vonage-failed-to-connect-call': 'failed',
    'vonage-rejected': 'failed',
    'call.in-progress.error-sip-outbound-call-failed-to-connect': 'failed',
    voicemail: 'voicemail',
    'customer-ended-call': 'hung_up',
    'assistant-ended-call': 'completed',
    'assistant-ended-call-after-message-spoken': 'completed',
    'assistant-ended-call-with-hangup-task': 'completed',
    'assistant-said-end-call-phrase': 'completed',
    'exceeded-max-duration': 'completed',
    'silence-timed-out': 'completed',
    'vonage-completed': 'completed',
    'vonage-disconnected': 'completed',
    'call.in-progress.twilio-completed-call': 'completed',
    'call.in-progress.sip-completed-call': 'completed',
    'call.ending.hook-executed-say': 'completed',
    'assistant-forwarded-call': 'transferred_blind',
    'call.ending.hook-executed-transfer': 'transferred_blind',
    'call.in-progress.error-transfer-failed': 'transfer_unavailable',
    'call.forwarding.operator-busy': 'transfer_unavailable',
    'call.forwarding.no-answer': 'transfer_unavailable',
    'customer-ended-call-before-warm-transfer': 'transfer_unavailable',
    'customer-ended-call-after-warm-transfer-attempt': 'transfer_unavailable',
    'customer-ended-call-during-transfer': 'transfer_unavailable',
    'manually-canceled': 'cancelled',
    'worker-shutdown': 'unknown',
    'phone-call-provider-closed-websocket': 'unknown',
    'phone-call-provider-bypass-enabled-but-no-call-received': 'unknown',
    'assistant-join-timed-out': 'unknown',
    'call-deleted': 'unknown',
    'customer-did-not-give-microphone-permission': 'unknown',
    'call.in-progress.error-assistant-did-not-receive-customer-audio': 'unknown',
    'call.in-progress.error-sip-inbound-call-failed-to-connect': 'unknown',
    'call.ringing.error-sip-inbound-call-failed-to-connect': 'unknown',
    'call.ringing.sip-inbound-caller-hungup-before-call-connect': 'unknown',
    'call.ringing.hook-executed-say': 'unknown',
    'call.ringing.hook-executed-transfer': 'unknown',
  }

  it('each end reason of Vapi is documented, by itself or by its family', () => {
    const alone = reasons.filter((reason) => !FAMILIES.some((family) => family.test(reason)))
    expect(alone.toSorted()).toEqual(Object.keys(ENDS).toSorted())
    expect(Object.fromEntries(alone.map((reason) => [reason, vapiEnd(reason, [])]))).toEqual(ENDS)
  })

  it('the end reasons of a family of Vapi have one end, except for SIP answers', () => {
    const ends = (prefix: string) => new Set(reasons.filter((reason) => reason.startsWith(prefix)).map((reason) => vapiEnd(reason, [])))
    expect(ends('pipeline-')).toEqual(new Set(['unknown']))
    expect(ends('call.in-progress.error-vapifault-')).toEqual(new Set(['unknown']))
    expect(ends('call.in-progress.error-warm-transfer-')).toEqual(new Set(['transfer_unavailable']))
    expect(ends('call.start.')).toEqual(new Set(['failed']))
    expect(ends('assistant-request-')).toEqual(new Set(['failed']))
    const sip = 'call.in-progress.error-providerfault-outbound-sip-'
    const answers = reasons.filter((reason) => reason.startsWith(sip))
    expect(Object.fromEntries(answers.map((reason) => [reason.slice(sip.length), vapiEnd(reason, [])]))).toEqual({
      '403-forbidden': 'failed',
      '407-proxy-authentication-required': 'failed',
      '408-request-timeout': 'no_answer',
      '480-temporarily-unavailable': 'no_answer',
      '503-service-unavailable': 'failed',
    })
  })

  const ACCOUNT_FAULTS = [
    ...['assistant-not-found', 'assistant-not-valid', 'call-start-error-neither-assistant-nor-server-set'],
    ...['call.start.assistant-version-error-validation', 'call.start.error-enterprise-feature-not-available-recording-consent'],
    ...['get-assistant', 'get-phone-number', 'get-resources-validation', 'get-transport'].map((what) => `call.start.error-${what}`),
    ...['concurrency-limit-reached', 'frozen', 'insufficient-credits', 'upgrade-failed', 'wallet-does-not-exist'].map(
      (what) => `call.start.error-subscription-${what}`,
    ),
    'call.start.error-vapi-number-outbound-daily-limit',
    ...['database-error', 'get-org', 'get-subscription'].map((what) => `call.start.error-vapifault-${what}`),
  ]

  it('every end reason of Vapi that blames the account is recognised', () => {
    expect(reasons.filter(isVapiAccountFault).toSorted()).toEqual(ACCOUNT_FAULTS.toSorted())
  })

  it.each(ACCOUNT_FAULTS)("an end reason that blames the account takes back Vapi's acceptance of the call: %s", async (endedReason) => {
    const made = await world({ script: () => ({ endedReason, isUnrung: true }) })
    await made.call(TALKS)
    const isWhole = /subscription-|daily-limit/.test(endedReason)
    const refusals = made.translations.flatMap(({ refusal }) => refusal ?? [])
    expect(refusals).toEqual(Array(2).fill({ reason: `Vapi did not place a call: ${endedReason}.`, isWhole }))
    expect(made.reports()).toEqual([])
  })

  const UNANSWERED = new Set(['no_answer', 'busy', 'disconnected', 'failed'])
  it.each(Object.entries(ENDS).filter(([reason]) => !isVapiAccountFault(reason)))(
    'an end reason of Vapi becomes an outcome: %s → %s',
    async (endedReason, end) => {
      const isAnswered = !UNANSWERED.has(end)
      const reports = await reportsOf({ endedReason, isAnswered })
      expect(reports.at(-1)).toMatchObject({ type: 'call.completed', data: { outcome: end === 'cancelled' ? 'failed' : end } })
      const ending = isAnswered ? ['call.ended', 'call.ended', 'call.completed'] : Array(2).fill(['call.ended', 'call.completed']).flat()
      expect(typesOf(reports)).toEqual([...(isAnswered ? ['call.answered'] : []), ...ending])
    },
  )

  it('a new end reason of Vapi gives the outcome unknown, and is named', async () => {
    const made = await world({ script: () => ({ endedReason: 'customer-fell-asleep', isAnswered: true }) })
    await made.call(TALKS)
    expect(made.reports().at(-1)).toMatchObject({ type: 'call.completed', data: { outcome: 'unknown' } })
    expect(made.translations.at(-1)?.unknown).toBe('endedReason customer-fell-asleep')
  })
})

describe('the end of a conversation that is polled', () => {
  const ended = async (script: VapiScript) => {
    const made = await world({ script: () => script })
    made.emulator.callbackFault = 'lost'
    await made.call(TALKS)
    const polled = async (after: number) => {
      const id = made.emulator.rung[0]!.platformCallId
      const found = await vapiAdapter.poll!(ask, made.connection, id, Date.now() + after)
      return found.kind === 'translated' ? found.translation.reports : []
    }
    return polled
  }

  it('a poll of a conversation through Vapi that has ended leaves five minutes for the analysis', async () => {
    const polled = await ended({ endedReason: 'customer-ended-call', isAnswered: true })
    expect(await polled(0)).toMatchObject([{ type: 'call.ended', data: { presumed_outcome: 'hung_up' } }])
    expect(await polled(6 * MINUTE)).toMatchObject([{ type: 'call.ended' }, { type: 'call.completed', data: { outcome: 'hung_up' } }])
  })

  it.each<[string, VapiScript]>([
    ['analysed', { endedReason: 'customer-ended-call', isAnswered: true, analysis: { structuredData: { outcome: 'completed' } } }],
    ['without an answer', { endedReason: 'manually-canceled' }],
  ])('a poll of Vapi brings the outcome at once when the call is %s', async (_, script) => {
    const polled = await ended(script)
    expect(typesOf(await polled(0))).toEqual(['call.ended', 'call.completed'])
  })
})
