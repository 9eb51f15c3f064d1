import { setTimeout as sleep } from 'node:timers/promises'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as giveConsent } from '#functions/consents/create.ts'
import { handler as revokeConsent } from '#functions/consents/revoke.ts'
import { handler as enterOnList } from '#functions/dnc/create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { handler as unpauseCalls } from '#functions/users/unpause-calls.ts'
import { now } from '#shared/platform/clock.ts'
import { agentReport, request } from '#test/support/world.ts'
import { keyOf } from './owners.ts'
import type { Race } from './plan.ts'

/** A race with its leads, owners and phone. */
export interface Subject {
  readonly race: Race
  readonly lead: number
  readonly owner: number
  /** The other owner with the same list. */
  readonly fellow: number
  readonly phone: string
  readonly phonePk: string
  /** Another lead with the phone, and its owner. */
  readonly other: { readonly lead: number; readonly owner: number } | null
}

type Answer = Awaited<ReturnType<typeof request>>

const as = (owner: number) => ({ headers: { Authorization: `Token ${keyOf(owner)}` } })

const patch = (owner: number, lead: number, body: Readonly<Record<string, unknown>>) =>
  request(update, { method: 'PATCH', path: `/api/leads/${lead}/`, parameters: { id: `${lead}` }, ...as(owner), body })

const bulk = async (owner: number, item: object): Promise<Answer> => {
  const answer = await request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', ...as(owner), body: { leads: [item] } })
  return answer.body.results?.[0]?.action === 'queued' ? answer : { ...answer, status: 500 }
}

const ofUser = (handler: typeof pauseCalls, what: string) => (owner: number, body: object) =>
  request(handler, { method: 'POST', path: `/api/users/${owner}/${what}/`, parameters: { id: `${owner}` }, ...as(owner), body })
const pause = ofUser(pauseCalls, 'pause-calls')
const unpause = ofUser(unpauseCalls, 'unpause-calls')

/** Sends an event report of a call. */
export const tell = (secret: string, callId: string, type: string, data: object = {}): Promise<Answer> =>
  request(report, agentReport(secret, callId, type, data))

/** Revokes the consent while one is given, and while the fellow stops the same phone in half of the races. */
const revoke = async ({ race, owner, fellow, phone }: Subject): Promise<Answer> => {
  const ask = (handler: typeof giveConsent, path: string, by: number, body: object): Promise<Answer> =>
    request(handler, { method: 'POST', path, ...as(by), body: { phone_number: phone, ...body } })
  const given = insist(() => ask(giveConsent, '/api/consents/', owner, { type: 'written', time: new Date(now()).toISOString() }))
  const stopped = race.isFellows ? insist(() => ask(enterOnList, '/api/dnc/', fellow, {})) : undefined
  const [answer] = await Promise.all([ask(revokeConsent, '/api/consents/revoke/', owner, {}), given, stopped])
  return answer
}

const stop = (subject: Subject, secret: string): Promise<Answer> => {
  const { race, lead, owner, fellow, phone, other } = subject
  switch (race.kind) {
    case 'flag on the lead':
      return patch(owner, lead, { call_dnc: true })
    case 'flag on another lead of the phone':
      return patch(other!.owner, other!.lead, { call_dnc: true })
    case 'entry on the list':
      return request(enterOnList, {
        method: 'POST',
        path: '/api/dnc/',
        ...as(race.isFellows ? fellow : owner),
        body: { phone_number: phone },
      })
    case 'consent revoked':
      return revoke(subject)
    case 'lead cancelled':
    case 'cancelled in the call':
      return patch(owner, lead, { status: 'CANCELLED' })
    case 'bulk update':
      return bulk(owner, { id: lead, ...race.patch })
    case 'pause of all':
      return pause(owner, {})
    case 'pause of the existing leads':
      return pause(owner, { only_existing_leads: true })
    case 'report of another call':
      return tell(secret, `${other!.lead}-1`, 'dnc.requested', { channel: 'call' })
  }
}

const MOST_TRIES = 100
/** Milliseconds. */
const PAUSE = 50

/** Retries until the answer is a success, as clients do. @returns the answer and the number of tries */
export const insist = async (ask: () => Promise<Answer>): Promise<{ answer: Answer; tries: number }> => {
  for (let tries = 1; ; tries++) {
    const answer = await ask()
    if (answer.status >= 200 && answer.status < 300) return { answer, tries }
    if (answer.status < 500 || tries === MOST_TRIES) throw new Error(`Answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    await sleep(PAUSE)
  }
}

export const raiseStop = (subject: Subject, secret: string) => insist(() => stop(subject, secret))
export const liftPause = ({ owner }: Subject) => insist(() => unpause(owner, {}))
