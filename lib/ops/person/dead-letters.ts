import * as v from 'valibot'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { tells } from '#shared/erasure/rules/redact.ts'
import { dropLetter, putLetterBack, takeLetters } from '#shared/platform/queues/queue-letters.ts'
import { pooled } from '../pooled.ts'
import { GIVEN_UP } from '../queue-names.ts'
import { countIn, EMPTY_LOOKS, queuesOf } from '../queues.ts'
import type { OpsEnvironment } from '../surroundings.ts'
import type { SoughtPerson } from './sought.ts'

/** Of dead letters, those with data of leads in them: the others hold ids alone. */
const TELLING = ['events', GIVEN_UP]

/** Seconds for which letters are hidden while they are looked through. */
const LOOKED_THROUGH = 300
const LANES = 8

const Event = v.looseObject({ detail: v.looseObject({ owner: v.number(), lead_id: v.optional(v.number()) }) })
const Body = v.pipe(v.string(), v.parseJson(), Event)

/** What is no event can never be told, so that nothing is lost with it: whose it is does not matter. */
const isAbout = (body: string, { mentions, leads, owner }: SoughtPerson): boolean => {
  const read = v.safeParse(Body, body)
  if (!read.success) return isMentioned(mentions, body)
  const { detail } = read.output
  if (owner !== undefined && detail.owner !== owner) return false
  return tells(mentions, read.output) || isMentioned(mentions, body) || leads.has(detail.lead_id ?? 0)
}

export interface LettersFound {
  /** Those with data of the person: they are deleted, unless it was to be looked only. */
  readonly about: number
  /** About how many were not shown: hidden by who looked before, or more than a queue has looked through at a time. */
  readonly unseen: number
}

interface Options {
  readonly environment: OpsEnvironment['environment']
  readonly dryRun: boolean
}

const dropIn = async (url: string, sought: SoughtPerson, { environment, dryRun }: Options): Promise<LettersFound> => {
  const { waiting, in_flight, delayed } = await countIn(url, environment)
  /** Of those that stay, receipts by ids. One that is shown again, as it took so long, has another receipt. */
  const kept = new Map<string, string>()
  const about = new Set<string>()
  for (let empty = 0; empty < EMPTY_LOOKS; ) {
    const letters = await takeLetters(url, LOOKED_THROUGH)
    if (letters.every(({ id }) => kept.has(id))) empty++
    else empty = 0
    for (const letter of letters) {
      const isTheirs = isAbout(letter.body, sought)
      if (isTheirs) about.add(letter.id)
      if (isTheirs && !dryRun) await dropLetter(url, letter)
      else kept.set(letter.id, letter.receipt)
    }
  }
  await pooled([...kept.values()], LANES, (receipt) => putLetterBack(url, { receipt }))
  const seen = new Set([...kept.keys(), ...about]).size
  return { about: about.size, unseen: Math.max(0, waiting + in_flight + delayed - seen) }
}

/** Deletes those dead letters that hold data of leads and are about the person; the others are shown again at once. */
export const dropDeadLetters = async (sought: SoughtPerson, options: Options): Promise<LettersFound> => {
  const urls = queuesOf(options.environment).flatMap(({ name, deadLettersUrl }) => (TELLING.includes(name) ? [deadLettersUrl] : []))
  const found = await Promise.all(urls.map((url) => dropIn(url, sought, options)))
  return {
    about: found.reduce((sum, { about }) => sum + about, 0),
    unseen: found.reduce((sum, { unseen }) => sum + unseen, 0),
  }
}
