import { setTimeout as sleep } from 'node:timers/promises'
import type { Victim } from './mayhem.ts'
import { MOST_PERSONS, personOf } from './people.ts'

/** Leads created at once, now and then, so that some find no free line. */
const BURST = 16
const BURST_EVERY = 48
const PAUSE_MS = 400
const PAUSE_AFTER_THE_KILLS_MS = 20

/** A zone where it is about noon now, so that calling is lawful at any time of the run. */
const noonZone = (): string => {
  const hours = 12 - new Date().getUTCHours()
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

export interface Created {
  readonly leads: Map<number, string>
  readonly asked: Map<string, number>
}

/** Creates leads until the planned number was acknowledged. Only a 201 counts, whatever became of the other requests. */
export const createLeads = async (
  victim: Victim,
  count: number,
  { leads, asked }: Created,
  isHurried: () => boolean,
  signal: AbortSignal,
) => {
  const timezone = noonZone()
  const create = async (index: number) => {
    const person = personOf(index)
    asked.set(person.phone_number, (asked.get(person.phone_number) ?? 0) + 1)
    const service = await victim.current()
    const answer = await service.call('POST', '/api/leads/', { ...person, timezone }).catch(() => undefined)
    if (answer?.status === 201) leads.set(answer.body.id, person.phone_number)
  }
  for (let index = 0; leads.size < count; ) {
    if (index >= MOST_PERSONS) throw new Error(`Of ${index} requests only ${leads.size} were answered with 201.`)
    const size = index % BURST_EVERY === 0 ? BURST : 1
    await Promise.all(Array.from({ length: size }, (_, place) => create(index + place)))
    index += size
    await sleep(isHurried() ? PAUSE_AFTER_THE_KILLS_MS : PAUSE_MS, undefined, { signal })
  }
}
