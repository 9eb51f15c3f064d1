import { setTimeout as sleep } from 'node:timers/promises'
import { handler as report } from '#functions/agents/call-events.ts'
import { handler as giveConsent } from '#functions/consents/create.ts'
import { handler as revokeConsent } from '#functions/consents/revoke.ts'
import { handler as enterOnList } from '#functions/dnc/create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as create } from '#functions/leads/create.ts'
import { handler as update } from '#functions/leads/update.ts'
import { handler as pauseCalls } from '#functions/users/pause-calls.ts'
import { handler as unpauseCalls } from '#functions/users/unpause-calls.ts'
import { now } from '#shared/platform/clock.ts'
import { agentReport, request } from '#test/support/world.ts'
import { DEMANDED, DEMANDING, keyOf } from './owners.ts'
import type { Race } from './plan.ts'

/** A race with its leads, owners and phone. */
export interface Subject {
  readonly race: Race
  readonly lead: number
  readonly owner: number
  /** The other owner with the same list. */
  readonly fellow: number
  readonly phone: string
  readonly email: string
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
export const tell = (secret: string, callId: string, type: string, data: object = {}, time?: Date): Promise<Answer> =>
  request(report, agentReport(secret, callId, type, data, time))

const post = (handler: typeof giveConsent, path: string, by: number, body: object): Promise<Answer> =>
  request(handler, { method: 'POST', path, ...as(by), body })

const consentAt = (time: number): object => ({ type: DEMANDED, time: new Date(time).toISOString() })

const give = ({ owner, phone }: Subject, time: number): Promise<Answer> =>
  post(giveConsent, '/api/consents/', owner, { phone_number: phone, ...consentAt(time) })

/** Sends the lead again, with a consent. The consent is recorded, and the lead is refused as a duplicate. */
const giveWithLead = async ({ owner, phone, email }: Subject, time: number): Promise<Answer> => {
  const body = { phone_number: phone, email, lead_type: DEMANDING, timezone: 'America/New_York', consent: consentAt(time) }
  const answer = await post(create, '/api/leads/', owner, body)
  return answer.status === 400 && answer.body.consent === undefined ? { ...answer, status: 200 } : answer
}

const askToRevoke = ({ owner, phone }: Subject): Promise<Answer> =>
  post(revokeConsent, '/api/consents/revoke/', owner, { phone_number: phone })

/** Revokes the consent while one is given, and while the fellow stops the same phone in half of the races. */
const revoke = async (subject: Subject): Promise<Answer> => {
  const { race, fellow, phone } = subject
  const given = insist(() => give(subject, now()))
  const stopped = race.isFellows ? insist(() => post(enterOnList, '/api/dnc/', fellow, { phone_number: phone })) : undefined
  const [answer] = await Promise.all([askToRevoke(subject), given, stopped])
  return answer
}

const tellOfOther = ({ other }: Subject, secret: string, type: string, data: object, time?: number): Promise<Answer> =>
  tell(secret, `${other!.lead}-1`, type, data, time === undefined ? undefined : new Date(time))

const stop = (subject: Subject, secret: string): Promise<Answer> => {
  const { race, lead, owner, fellow, phone, other } = subject
  switch (race.way) {
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
      return tellOfOther(subject, secret, 'dnc.requested', { channel: 'call' })
  }
}

/** @param time when the person revoked the consent */
const revokeOfThree = (subject: Subject, secret: string, time: number): Promise<Answer> => {
  switch (subject.race.three!.revocation.way) {
    case 'request':
      return askToRevoke(subject)
    case 'report of another call':
      return tellOfOther(subject, secret, 'dnc.requested', { channel: 'call', words: 'I revoke my consent' }, time)
    case 'text message':
      return tellOfOther(subject, secret, 'sms.completed', { direction: 'inbound', body: 'Stop calling me' }, time)
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
/** Ends a pause, or lifts the flag of a lead. */
export const liftStop = ({ race, lead, owner }: Subject) =>
  insist(() => (race.three ? patch(owner, lead, { call_dnc: false }) : unpause(owner, {})))

/** Records a consent before the race. */
export const consentBefore = (subject: Subject) => {
  const time = now()
  return insist(() => give(subject, time))
}

/** Sends the consent of a race of three. Tries again with the same time, as the person gave it once. */
export const sendConsent = (subject: Subject) => {
  const time = now()
  const send = subject.race.three!.consent.way === 'request' ? give : giveWithLead
  return insist(() => send(subject, time))
}

/** As `sendConsent`, for the revocation. */
export const sendRevocation = (subject: Subject, secret: string) => {
  const time = now()
  return insist(() => revokeOfThree(subject, secret, time))
}
