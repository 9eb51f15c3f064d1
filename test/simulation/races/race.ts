import { setTimeout as sleep } from 'node:timers/promises'
import { handler as create } from '#functions/leads/create.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { now } from '#shared/platform/clock.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { eventually } from '#test/support/eventually.ts'
import { request } from '#test/support/world.ts'
import type { RaceAgent } from './agent.ts'
import { keyOf, ownersOf } from './owners.ts'
import type { Race } from './plan.ts'
import type { RaceQueue } from './queue.ts'
import { insist, liftPause, raiseStop, type Subject, tell } from './stops.ts'
import type { Weather } from './table-weather.ts'

export interface Course {
  readonly queue: RaceQueue
  readonly agent: RaceAgent
  readonly weather: Weather
  readonly secret: string
}

/** The stop, as seen by the client that raised it. Milliseconds as `performance.now()`. */
export interface Stopped {
  readonly subject: Subject
  readonly asked: number
  readonly acknowledged: number
  /** By the service's clock. */
  readonly acknowledgedTime: number
  readonly tries: number
  /** When the client asked to end the pause. */
  readonly lifted: number | null
}

/** Milliseconds from a conversation's end to its callback. */
const CALLBACK = 2000

const AREAS = ['212', '315', '518', '585', '607']
/** @param tries earlier tries to prepare this race */
const phoneOf = ({ index }: Race, tries: number): string => `+1${AREAS[tries % AREAS.length]}555${`${index % 10_000}`.padStart(4, '0')}`

const createLead = async (owner: number, phone_number: string, email: string): Promise<number> => {
  // Without the key, a repeat after an unclear answer would find its own lead.
  const headers = { Authorization: `Token ${keyOf(owner)}`, 'Idempotency-Key': email }
  const body = { phone_number, email, timezone: 'America/New_York' }
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
  if (race.kind !== 'flag on another lead of the phone' && race.kind !== 'report of another call') return null
  const owner = race.isFellows ? fellow : own
  const lead = await createLead(owner, phone, `other.${phone}@example.com`)
  if (race.kind === 'report of another call') {
    const callId = await call(course, lead)
    await insist(() => tell(course.secret, callId, 'call.completed', { outcome: 'no_answer' }))
  }
  return { lead, owner }
}

const tryToPrepare = async (course: Course, race: Race, tries: number): Promise<Subject> => {
  const { owner, fellow } = ownersOf(race)
  const phone = phoneOf(race, tries)
  const other = await otherLead(course, race, phone)
  const lead = await createLead(owner, phone, `person.${race.index}.${tries}@example.com`)
  if (race.isFailing) course.agent.fail(`${lead}-1`)
  if (race.plant) course.weather.plant(lead, race.plant)
  if (race.kind === 'cancelled in the call') {
    const callId = await call(course, lead)
    await insist(() => tell(course.secret, callId, 'call.answered'))
  }
  return { race, lead, owner, fellow, phone, phonePk: await phonePk(`group-${owner}`, phone), other }
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

const lift = async (subject: Subject): Promise<number | null> => {
  if (!subject.race.kind.startsWith('pause')) return null
  await sleep(subject.race.lifted)
  const lifted = performance.now()
  await liftPause(subject)
  return lifted
}

/**
 * Starts a stop and a call of one lead at the same moment.
 * @returns after the stop's acknowledgement; `ended` resolves when a pause is lifted
 */
export const runRace = async (course: Course, race: Race): Promise<{ readonly ended: Promise<Stopped> }> => {
  const subject = await prepare(course, race)
  const { next, begun } = begin(course, subject)
  await sleep(race.stop)
  const asked = performance.now()
  const { tries } = await raiseStop(subject, course.secret)
  const [acknowledged, acknowledgedTime] = [performance.now(), now()]
  course.queue.deliver(next, race.late)
  const end = async (): Promise<Stopped> => {
    const [lifted] = await Promise.all([lift(subject), begun])
    return { subject, asked, acknowledged, acknowledgedTime, tries, lifted }
  }
  return { ended: end() }
}
