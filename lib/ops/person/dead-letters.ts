import * as v from 'valibot'
import { isMentioned } from '#shared/erasure/rules/mention.ts'
import { containsMention } from '#shared/erasure/rules/redact.ts'
import { allInLanes } from '#shared/platform/lanes.ts'
import { dropLetter, putLetterBack, takeLetters } from '#shared/platform/queues/queue-letters.ts'
import { countIn, EMPTY_LOOKS, queuesOf } from '../queues.ts'
import type { OpsEnvironment } from '../surroundings.ts'
import type { SoughtPerson } from './sought.ts'

/** The queue whose dead letters hold data of leads. Those of all others hold ids only. */
const WITH_LEAD_DATA = 'events'

/** Seconds. Letters stay hidden this long while the tool looks through them. */
const HIDDEN_FOR = 300
const LANES = 8

const Event = v.looseObject({ detail: v.looseObject({ owner: v.number(), lead_id: v.optional(v.number()) }) })
const Body = v.pipe(v.string(), v.parseJson(), Event)

/** A malformed letter can never be delivered, so it may go if it mentions the number. Its owner does not matter. */
const isAbout = (body: string, { mentions, leads, owner }: SoughtPerson): boolean => {
  const read = v.safeParse(Body, body)
  if (!read.success) return isMentioned(mentions, body)
  const { detail } = read.output
  if (owner !== undefined && detail.owner !== owner) return false
  return containsMention(mentions, read.output) || isMentioned(mentions, body) || leads.has(detail.lead_id ?? 0)
}

export interface LettersFound {
  /** Letters with data of the person. They are deleted, except in a dry run. */
  readonly about: number
  /** Approximate number of letters that were not seen: hidden by an earlier look, or too many. */
  readonly unseen: number
}

interface Options {
  readonly environment: OpsEnvironment['environment']
  readonly dryRun: boolean
}

const dropIn = async (url: string, sought: SoughtPerson, { environment, dryRun }: Options): Promise<LettersFound> => {
  const { waiting, in_flight, delayed } = await countIn(url, environment)
  /** Receipts of letters that stay, by id. A letter that appears again has a new receipt. */
  const kept = new Map<string, string>()
  const about = new Set<string>()
  for (let empty = 0; empty < EMPTY_LOOKS; ) {
    const letters = await takeLetters(url, HIDDEN_FOR)
    if (letters.every(({ id }) => kept.has(id))) empty++
    else empty = 0
    for (const letter of letters) {
      const isTheirs = isAbout(letter.body, sought)
      if (isTheirs) about.add(letter.id)
      if (isTheirs && !dryRun) await dropLetter(url, letter)
      else kept.set(letter.id, letter.receipt)
    }
  }
  await allInLanes(LANES, kept.values(), (receipt) => putLetterBack(url, { receipt }))
  const seen = new Set([...kept.keys(), ...about]).size
  return { about: about.size, unseen: Math.max(0, waiting + in_flight + delayed - seen) }
}

/** Deletes dead letters that are about the person. The other letters become visible again at once. */
export const dropDeadLetters = async (sought: SoughtPerson, options: Options): Promise<LettersFound> => {
  const urls = queuesOf(options.environment).flatMap(({ name, deadLettersUrl }) => (name === WITH_LEAD_DATA ? [deadLettersUrl] : []))
  const found = await Promise.all(urls.map((url) => dropIn(url, sought, options)))
  return {
    about: found.reduce((sum, { about }) => sum + about, 0),
    unseen: found.reduce((sum, { unseen }) => sum + unseen, 0),
  }
}
