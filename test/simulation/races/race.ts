import { setTimeout as sleep } from 'node:timers/promises'
import { handler as create } from '#functions/leads/create.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { eventually } from '#test/support/eventually.ts'
import { request } from '#test/support/world.ts'
import type { RaceAgent } from './agent.ts'
import { DEMANDING, keyOf, ownersOf } from './owners.ts'
import { PARTS, type Race } from './plan.ts'
import type { RaceQueue } from './queue.ts'
import { consentBefore, insist, liftStop, raiseStop, type Subject, sendConsent, sendRevocation, tell } from './stops.ts'
import type { Weather } from './table-weather.ts'

export interface Course {
  readonly queue: RaceQueue
  readonly agent: RaceAgent
  readonly weather: Weather
  readonly secret: string
}

/** A part of a race, as seen by the client that sent it. Milliseconds as `performance.now()`. */
interface Sent {
  readonly asked: number
  readonly acknowledged: number
  /** By the service's clock. */
  readonly acknowledgedTime: number
  readonly tries: number
}

/** The stop. In a race of three: the stop or the revocation, whichever was acknowledged first. Both end all calls. */
export interface Stopped extends Sent {
  readonly subject: Subject
  /** All parts of a race of three. */
  readonly parts: { readonly stop: Sent; readonly consent: Sent; readonly revocation: Sent } | null
  /** When the client asked to end the pause, or to lift the flag. */
  readonly lifted: number | null
}

/** Milliseconds from a conversation's end to its callback. */
const CALLBACK = 2000

/** Milliseconds. */
const POLL = 5

const AREAS = ['212', '315', '518', '585', '607']
/** @param tries earlier tries to prepare this race */
const phoneOf = ({ index }: Race, tries: number): string => `+1${AREAS[tries % AREAS.length]}555${`${index % 10_000}`.padStart(4, '0')}`

const createLead = async (owner: number, phone_number: string, email: string, lead_type?: number): Promise<number> => {
  // Without the key, a repeat after an unclear answer would find its own lead.
  const headers = { Authorization: `Token ${keyOf(owner)}`, 'Idempotency-Key': email }
  const body = { phone_number, email, timezone: 'America/New_York', lead_type }
  const { answer } = await insist(() => request(create, { method: 'POST', path: '/api/leads/', headers, body }))
  return answer.body.id
}

/** A prepared call was not accepted in time: requests can time out on a busy machine. */
class NotAccepted extends Error {}

/** Has a lead called, and waits until the agent has accepted. @throws NotAccepted */
const call = async ({ queue, agent }: Course, lead: number): Promise<string> => {
  const callId = `${lead}-1`
  agent.favour(callId)
  for (const body of queue.release(lead)) queue.deliver(body, 0)
  let found = await getCall(callId)
  await eventually(async () => {
    found = await getCall(callId)
    return found?.accepted_time != null || found?.failure != null
  })
  if (found?.accepted_time == null) throw new NotAccepted(callId)
  return callId
}

const otherLead = async (course: Course, race: Race, phone: string): Promise<Subject['other']> => {
  const { owner: own, fellow } = ownersOf(race)
  const isRevokedInCall = race.three !== null && race.three.revocation.way !== 'request'
  const isOfCall = isRevokedInCall || race.way === 'report of another call'
  if (!isOfCall && race.way !== 'flag on another lead of the phone') return null
  // A revocation in a call counts for the owner of that call only.
  const owner = race.isFellows && !isRevokedInCall ? fellow : own
  const lead = await createLead(owner, phone, `other.${phone}@example.com`)
  if (isOfCall) {
    const callId = await call(course, lead)
    await insist(() => tell(course.secret, callId, 'call.completed', { outcome: 'no_answer' }))
  }
  return { lead, owner }
}

const tryToPrepare = async (course: Course, race: Race, tries: number): Promise<Subject> => {
  const { owner, fellow } = ownersOf(race)
  const phone = phoneOf(race, tries)
  const other = await otherLead(course, race, phone)
  const email = `person.${race.index}.${tries}@example.com`
  const lead = await createLead(owner, phone, email, race.three ? DEMANDING : undefined)
  if (race.isFailing) course.agent.fail(`${lead}-1`)
  if (race.plant && race.plant !== 'demand') course.weather.plant(lead, race.plant)
  if (race.kind === 'cancelled in the call') {
    const callId = await call(course, lead)
    await insist(() => tell(course.secret, callId, 'call.answered'))
  }
  const subject = { race, lead, owner, fellow, phone, email, phonePk: await phonePk(`group-${owner}`, phone), other }
  if (race.three?.isConsented) await consentBefore(subject)
  return subject
}

/** Creates the leads of a race. Tries again with another phone if the agent did not accept a call that the race needs. */
const prepare = async (course: Course, race: Race): Promise<Subject> => {
  for (let tries = 0; ; tries++) {
    try {
      return await tryToPrepare(course, race, tries)
    } catch (error) {
      if (!(error instanceof NotAccepted) || tries === AREAS.length) throw error
    }
  }
}

/** Starts the dial or, in a call, reports its end, once for each copy. @returns the next call's message, to be delivered later */
const begin = ({ queue, secret }: Course, { race, lead }: Subject): { readonly next: string; readonly begun: Promise<unknown> } => {
  if (race.kind !== 'cancelled in the call') {
    const [message] = queue.release(lead)
    if (!message) throw new Error(`No message would dial lead ${lead}.`)
    for (const after of race.starts) queue.deliver(message, after)
    return { next: message, begun: Promise.resolve() }
  }
  const callback = now() + CALLBACK
  const data = { outcome: 'callback_requested', callback_time: new Date(callback).toISOString() }
  const tellings = race.starts.map(async (after) => {
    await sleep(after)
    await insist(() => tell(secret, `${lead}-1`, 'call.completed', data))
  })
  return { next: JSON.stringify({ type: 'dial', lead_id: lead, attempt: 2, due_at: callback }), begun: Promise.all(tellings) }
}

/** @param stopped resolves when every stop of the race is acknowledged */
const lift = async (subject: Subject, stopped: Promise<unknown>): Promise<number | null> => {
  const { kind, three, lifted: after } = subject.race
  if (!kind.startsWith('pause') && !three?.isLifted) return null
  await stopped
  await sleep(after)
  const lifted = performance.now()
  await liftStop(subject)
  return lifted
}

const send = async (ready: Promise<unknown>, ask: () => Promise<{ readonly tries: number }>): Promise<Sent> => {
  await ready
  const asked = performance.now()
  const { tries } = await ask()
  return { asked, acknowledged: performance.now(), acknowledgedTime: now(), tries }
}

/** Delivers a dial message. @returns once it was handled, or the agent was asked for the call */
const dial = async ({ queue, agent }: Course, { lead }: Subject, message: string): Promise<void> => {
  const ended = new AbortController()
  const isAsked = async (): Promise<void> => {
    while (!ended.signal.aborted && !agent.requests.some(({ callId }) => callId === `${lead}-1`)) await sleep(POLL)
  }
  await Promise.race([queue.deliverNow(message), isAsked()]).finally(() => ended.abort())
}

interface Sending {
  readonly stop: Promise<Sent>
  readonly consent: Promise<Sent> | null
  readonly revocation: Promise<Sent> | null
  /** Resolves when the last step of a sequence is done. */
  readonly ended: Promise<unknown>
}

/** Sends the parts of a race, each at its time or, in a sequence, once the one before it is done. */
const sendParts = (course: Course, subject: Subject, message: string): Sending => {
  const { three, stop } = subject.race
  const asks = {
    stop: () => raiseStop(subject, course.secret),
    consent: () => sendConsent(subject),
    revocation: () => sendRevocation(subject, course.secret),
  }
  let before: Promise<unknown> = Promise.resolve()
  if (!three) return { stop: send(sleep(stop), asks.stop), consent: null, revocation: null, ended: before }
  const at = { stop, consent: three.consent.at, revocation: three.revocation.at }
  const sent = new Map<keyof typeof asks, Promise<Sent>>()
  for (const step of three.sequence ?? PARTS) {
    if (step === 'dial') before = before.then(() => dial(course, subject, message))
    else {
      const part = send(three.sequence ? before : sleep(at[step]), asks[step])
      sent.set(step, part)
      before = part
    }
  }
  return { stop: sent.get('stop')!, consent: sent.get('consent')!, revocation: sent.get('revocation')!, ended: before }
}

/**
 * Starts a stop and a call of one lead at the same moment, and the consent and the revocation of a race of three.
 * @returns after the first acknowledgement of a stop; `ended` resolves when all is acknowledged, and a pause or a flag is lifted
 */
export const runRace = async (course: Course, race: Race): Promise<{ readonly ended: Promise<Stopped> }> => {
  const subject = await prepare(course, race)
  const { next, begun } = begin(course, subject)
  const { stop, consent, revocation, ended: sending } = sendParts(course, subject, next)
  const stops = [stop, ...(revocation ? [revocation] : [])]
  const end = async (): Promise<Stopped> => {
    const sent = Promise.all([stop, consent, revocation])
    const [[ofStop, ofConsent, ofRevocation], lifted] = await Promise.all([sent, lift(subject, Promise.all(stops)), begun, sending])
    if (!ofConsent || !ofRevocation) return { subject, ...ofStop, parts: null, lifted }
    const first = ofRevocation.acknowledged < ofStop.acknowledged ? ofRevocation : ofStop
    return { subject, ...first, parts: { stop: ofStop, consent: ofConsent, revocation: ofRevocation }, lifted }
  }
  const ended = end()
  ended.catch(() => undefined)
  await Promise.race(stops)
  course.queue.deliver(next, race.late)
  return { ended }
}
