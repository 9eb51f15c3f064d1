import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../adapters/clock.ts'
import { setting } from '../adapters/environment.ts'
import { loggable, logger } from '../adapters/logger.ts'
import { invalid } from '../domain/errors.ts'
import { newLead } from '../domain/leads/new-lead.ts'
import { refusedLead, withLead } from '../domain/leads/uniqueness.ts'
import type { User } from '../schema/configuration.ts'
import { unknownId } from '../schema/fields/number.ts'
import type { Lead } from '../schema/lead.ts'
import type { CreateLead } from '../schema/requests/create-lead.ts'
import { nextId } from '../storage/ids.ts'
import { getLeadType } from '../storage/lead-types.ts'
import { insertLead } from '../storage/leads.ts'
import { getPerson, replacePerson } from '../storage/persons.ts'
import { getPhone, phonePk } from '../storage/phones.ts'
import { recordHole, takePosition } from '../storage/positions.ts'
import { transact } from '../storage/table.ts'
import { getUser } from '../storage/users.ts'
import { dispatchSoon } from './dispatch.ts'
import { stopContacting } from './stop.ts'

const MAX_TRIES = 100
/** Milliseconds, times a random part: how long the loser of a race for the same person waits. */
const RACE_PAUSE = 30

/** @throws ServiceError under `lead_type` when it names none of the owner's. */
const leadTypeFor = async (owner: User, asked: number | null | undefined): Promise<number | null> => {
  if (asked === undefined || asked === null) return owner.default_lead_type
  if (await getLeadType(owner.id, asked)) return asked
  throw invalid({ lead_type: [unknownId(asked)] })
}

/** Inserts the lead and adds it to its person, again from the start while others are adding to the same person. */
const insert = async (input: CreateLead, owner: User, leadType: number | null, pk: string): Promise<Lead> => {
  let place: { id: number; position: number } | undefined
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [person, phone] = await Promise.all([getPerson(owner.id, input.phone_number), getPhone(pk)])
    const refusal = refusedLead(person, input.email)
    if (refusal) {
      if (place) await recordHole(owner.id, place.position)
      throw refusal
    }
    place ??= { id: await nextId(), position: await takePosition(owner.id) }
    const lead = newLead(input, { ...place, owner: owner.id, leadType, phone, now: now(), defaultTimezone: setting('DEFAULT_TIMEZONE') })
    const { committed } = await transact([insertLead(lead), replacePerson(withLead(person, lead.id, input.email))])
    if (committed) return lead
    await sleep(Math.random() * RACE_PAUSE)
  }
  throw new Error(`Lost the race for one person ${MAX_TRIES} times.`)
}

/** A stop that reached the phone after the lead had looked, and before it could be found there, is shown now. */
const catchUpWithStops = async (lead: Lead, pk: string): Promise<void> => {
  const phone = await getPhone(pk)
  if (phone.call_dnc && !lead.call_dnc) await stopContacting(lead.owner, lead.phone_number, pk, 'call')
  if (phone.sms_dnc && !lead.sms_dnc) await stopContacting(lead.owner, lead.phone_number, pk, 'sms')
}

/** A lead that comes with a stop stops the phone, as any other word of it does. */
const raiseOwnStops = async (input: CreateLead, owner: number, pk: string): Promise<void> => {
  if (input.call_dnc) await stopContacting(owner, input.phone_number, pk, 'call')
  if (input.sms_dnc) await stopContacting(owner, input.phone_number, pk, 'sms')
}

/**
 * Creates a lead of an owner and sends its first call when that is due. The lead is safe once it is inserted: a message that
 * cannot be sent is left to the sweep.
 * @throws ServiceError of validation
 */
export const createLead = async (ownerId: number, input: CreateLead): Promise<Lead> => {
  const owner = await getUser(ownerId)
  if (!owner) throw new Error(`There is no user ${ownerId}, though a key names it.`)
  const [leadType, pk] = await Promise.all([leadTypeFor(owner, input.lead_type), phonePk(owner.dnc_group, input.phone_number)])
  const lead = await insert(input, owner, leadType, pk)
  await raiseOwnStops(input, owner.id, pk)
  await catchUpWithStops(lead, pk)
  try {
    await dispatchSoon(lead, now())
  } catch (error) {
    logger.warn('Left to the sweep: the first call could not be sent.', { lead: lead.id, error: loggable(error) })
  }
  return lead
}
