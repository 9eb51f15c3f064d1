import type { Instant } from '../../platform/values/values.ts'
import { CHANNELS, type Channel } from '../compliance.ts'

/** Texts with which a person asks for no more contact. A person may do so by any reasonable means: when in doubt, contact ends. */

/** Words that opt out of texts: 47 CFR 64.1200(a)(10), and others that carriers accept. */
const OPT_OUTS = new Set(['stop', 'stopall', 'quit', 'end', 'revoke', 'optout', 'cancel', 'unsubscribe'])
/** Words beside them that change nothing. */
const COURTESIES = /\b(?:please|pls|just|it|now|all|thanks|thank you)\b/g
/** A text that begins like this opts out, whatever follows. "Stop by at noon" does not. */
const BEGINNING = /^ (?:stop(?! (?:by|at|in|over|for) )|stopall|unsubscribe|revoke|opt out|opt me out) /
const UNSUBSCRIBING = /^.* (?:unsubscribe|opt out|opt me out|stop sending) /

const VERBS: Readonly<Record<Channel, string>> = {
  call: 'call|calls|calling|phone|phoning|ring|ringing',
  sms: 'text|texts|texting|message|messages|messaging|sms',
}
const VERB = `(?:${VERBS.call}|${VERBS.sms}|contact|contacting|bother|bothering|harass|harassing)`
/** "call", "call or text", "calling me and texting". */
const LIST = `${VERB}(?: (?:me )?(?:or|and|nor) ${VERB})*`
const FILLER = '(?:(?:all|any|the|these|those|your|sending|making|ever|to) )*'
/** "Do not call me before noon" asks for another time. */
const OTHER_TIME = '(?:(?:me|us|here) )?(?:before|until|till|after|between|today|tonight|tomorrow|right now|yet|so early|so late) '
const FOR_GOOD = / (?:ever|never|again|anymore|any more) /

const ENDED = [
  new RegExp(` (?:stop|quit|cease|no more) ${FILLER}(${LIST})(?= )`, 'g'),
  new RegExp(` never (${LIST}) (?:(?:me|us) )?again(?= )`, 'g'),
  /^ no (calls|texts|messages)(?: (?:or|and) (?:calls|texts|messages))? /g,
]
const REFUSED = new RegExp(` (?:do not|dont) ${FILLER}(${LIST})(?= )`, 'g')
const REFUSED_NOW = new RegExp(` (?:do not|dont) ${FILLER}(${LIST})(?= )(?! ${OTHER_TIME})`, 'g')

const OF_ALL = [
  ...[' leave me alone ', ' lose my number ', ' take me off ', ' remove me '],
  ...[' remove my number ', ' remove this number ', ' delete my number ', ' delete this number ', ' take my number off '],
  ...[' take this number off ', ' revoke my consent ', ' revoke consent ', ' withdraw my consent ', ' withdraw consent '],
]

/** The words in small letters, each between two blanks. */
const wordsOf = (text: string): string => {
  const words = text
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[^a-z]+/g, ' ')
  return ` ${words.trim()} `
}

const channelsIn = (verbs: string): readonly Channel[] => {
  const named = CHANNELS.filter((channel) => new RegExp(`\\b(?:${VERBS[channel]})\\b`).test(verbs))
  return named.length === 0 || /\b(?:contact|bother|harass)/.test(verbs) ? CHANNELS : named
}

/** The channels that a text names as ended. */
const channelsNamed = (words: string): readonly Channel[] => {
  if (OF_ALL.some((phrase) => words.includes(phrase))) return CHANNELS
  const refused = FOR_GOOD.test(words) ? REFUSED : REFUSED_NOW
  return [...ENDED, refused].flatMap((pattern) => [...words.matchAll(pattern)].flatMap(([all]) => channelsIn(all)))
}

const isOptOut = (words: string): boolean => {
  const rest = words.replace(COURTESIES, '').split(' ').filter(Boolean)
  return BEGINNING.test(words) || OPT_OUTS.has(rest.join('')) || (rest.length > 0 && rest.every((word) => OPT_OUTS.has(word)))
}

/** The channels on which the writer of a text message wants no more contact. */
export const channelsOptedOut = (body: string): Channel[] => {
  const words = wordsOf(body)
  const named = new Set(channelsNamed(words))
  if (UNSUBSCRIBING.test(words) || (named.size === 0 && isOptOut(words))) named.add('sms')
  return CHANNELS.filter((channel) => named.has(channel))
}

/** Adds the other channels once a stop on one channel ends all: 47 CFR 64.1200(a)(10). */
export const channelsEnded = (channels: readonly Channel[], at: Instant, revokeAllFrom: Instant): readonly Channel[] =>
  channels.length > 0 && at >= revokeAllFrom ? CHANNELS : channels
