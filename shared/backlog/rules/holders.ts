import type { Lead } from '../../leads/lead.ts'
import type { Lines } from '../../stops/compliance.ts'

/**
 * The names of holders: a held lead waits for its agent, for the end of a pause, or for a setting. Names of agents have no space, all
 * others have one, and none has a `#`. The change of a setting marks its name, and the sweep then plans the leads that are held under it.
 */

/** The lead type: inactive, gone, without calls abroad, or asking for a consent that the lead or its phone lacks. */
export const leadTypeHolder = (leadType: number): string => `lead-type ${leadType}`

/** The calling hours of an account, which leave nothing open. */
export const accountHolder = (owner: number): string => `account ${owner}`

/** The owner whose calling hours a name means; undefined when it means anything else. */
export const accountOf = (holder: string): number | undefined =>
  holder.startsWith('account ') ? Number(holder.slice('account '.length)) : undefined

/** A declared emergency in a jurisdiction. */
export const emergencyHolder = (jurisdiction: string): string => `emergency ${jurisdiction}`

/** The entry of a phone on the list of litigators. */
export const litigatorHolder = (phoneHash: string): string => `litigator ${phoneHash}`

/** A do-not-call registry that has the phone, is too old or was never imported. */
export const registryHolder = (list: string): string => `registry ${list}`

export const isRegistry = (holder: string): boolean => holder.startsWith('registry ')

/**
 * The reassigned numbers database: an answer is missing, is too old, or says that the number was disconnected. All users share the answers.
 * Each user has its own holder, so that one user's held leads do not delay those of others.
 */
export const reassignedHolder = (owner: number): string => `reassigned ${owner}`

/** The owner's pause of all leads, or of those that existed then. */
export const pauseHolder = (owner: number): string => `pause ${owner}`

export const isPause = (holder: string): boolean => holder.startsWith('pause ')

/** The lead itself: only an update of it helps. A consent that may release the lead marks this name, whatever holds the lead. */
export const leadHolder = (lead: number): string => `lead ${lead}`

/** The lead that a name means; undefined when it means anything else. */
export const leadOf = (holder: string): number | undefined =>
  holder.startsWith('lead ') ? Number(holder.slice('lead '.length)) : undefined

/**
 * The due leads that stay in an owner's list while their lead type is inactive or has no working agent. Nothing holds them, but their name can
 * be marked: then the sweep looks at the list.
 */
export const dueLeadsOf = (owner: number): string => `due ${owner}`

/** The owner of whose due leads this is the name; undefined when it means anything else. */
export const ownerOfDue = (name: string): number | undefined => (name.startsWith('due ') ? Number(name.slice('due '.length)) : undefined)

export const isSetting = (holder: string): boolean => holder.includes(' ')

/** Holder and owner in the name of a part. */
const PART = /^(.*)#(\d+)$/

/** The holder of which a name means a part; undefined when it means a whole holder. See `partOf`. */
export const holderOfPart = (name: string): string | undefined => PART.exec(name)?.[1]

export const ownerOfPart = (name: string): string | undefined => PART.exec(name)?.[2]

/**
 * Whether a name means a holder that has leads of all owners, and has parts: an agent, an emergency or a do-not-call registry. A litigator
 * holds few leads, so it needs none.
 */
export const isShared = (name: string): boolean =>
  holderOfPart(name) === undefined && (!isSetting(name) || isRegistry(name) || name.startsWith('emergency '))

/**
 * The name of the list in which a holder has the leads of an owner. If all owners share the holder, this is the owner's part of it, so that
 * the held leads of one owner do not delay those of others.
 */
export const partOf = (holder: string, owner: number): string => (isShared(holder) ? `${holder}#${owner}` : holder)

/** The names of all lists in which a holder may have leads of these owners. A shared holder's own name is its former list, of version 1.0.2. */
export const listsOf = (holder: string, owners: readonly number[]): string[] => [
  ...new Set([holder, ...owners.map((owner) => partOf(holder, owner))]),
]

type Held = Pick<Lead, 'due_list' | 'held_by'>

/** The setting that holds a lead back; undefined when none does. A paused lead keeps its time. */
export const settingOf = ({ due_list, held_by }: Held): string | undefined =>
  due_list === 'HELD' && held_by !== null && isSetting(held_by) && !isPause(held_by) ? held_by : undefined

const WAITS_FOR: readonly (readonly [begin: string, change: (name: string) => string])[] = [
  ['lead-type ', () => 'the lead type changes, a sufficient consent is recorded, or the lead gets a proof'],
  ['account ', () => 'the calling hours of the account change'],
  ['emergency ', (jurisdiction) => `the emergency in ${jurisdiction} ends`],
  ['litigator ', () => 'the phone is taken off the list of litigators'],
  ['registry ', (list) => `the do-not-call list ${list} is imported again, a consent is recorded, or the lead or its type changes`],
  ['reassigned ', () => 'the reassigned numbers database is asked again, a consent is recorded, or the lead or its type changes'],
  ['lead ', () => 'the lead has a timezone, or malformed data about its phone is repaired'],
  ['pause ', () => 'the owner’s pause ends'],
]

/** The change that a lead held by a setting waits for, as part of a sentence. */
export const waitsFor = (holder: string): string => {
  const [begin, describe] = WAITS_FOR.find(([start]) => holder.startsWith(start)) ?? ['', () => 'a setting changes']
  return describe(holder.slice(begin.length))
}

/** The next call as clients are shown it: a lead that a setting holds back has none. */
export const shownCall = (
  lead: Held & Pick<Lead, 'next_call_time' | 'next_call_time_reason'>,
): Pick<Lead, 'next_call_time' | 'next_call_time_reason'> =>
  settingOf(lead) === undefined
    ? { next_call_time: lead.next_call_time, next_call_time_reason: lead.next_call_time_reason }
    : { next_call_time: null, next_call_time_reason: null }

/** Whether the owner's pause covers this lead: it covers all leads, or those that existed when it began. */
export const isPaused = ({ lead, lines }: { readonly lead: Lead; readonly lines: Lines }): boolean =>
  lines.paused || lead.position <= lines.paused_upto
