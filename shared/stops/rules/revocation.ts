import type { Instant } from '../../platform/values/values.ts'
import { CHANNELS, type Channel } from '../compliance.ts'
import { endsAllContact } from './end-of-contact.ts'
import { channelsAfterNo, channelsInPhrases, withoutPhrases, withoutSaidNo } from './named-stops.ts'
import { COURTESY, NO_VISIT, textParts, wordsOf } from './said-words.ts'

/** Texts with which a person asks for no more contact. A person may do so by any reasonable means: when in doubt, contact ends. */

/** Words that opt out of texts: 47 CFR 64.1200(a)(10), and others that carriers accept. */
const OPT_OUTS = new Set('stop stopall quit end revoke optout optedout cancel unsubscribe unsub remove dnd'.split(' '))
/** Texts that opt out only if they say nothing else: "Alto, Texas" and "Baja California" are places. */
const WHOLE_OPT_OUTS = new Set(
  'nomore alto parar cancelar baja detener arret arreter arretez cease desist ialreadyoptedout ioptedout'.split(' '),
)
const COURTESIES = new RegExp(`\\b${COURTESY}\\b`, 'g')
/** "I am opting out of Medicare" is about something else. */
const OUT_OF_CONTACT =
  '(?! of (?!all|any|the|this|these|those|your|getting|receiving|further|future|marketing|calls|texts|texting|messages))'
/** Words that open an opt-out anywhere in a text. */
const UNSUBSCRIBING = new RegExp(` (?:unsub|unsubscribed?|opt out|opt me out|(?<! not )opting (?:me )?out${OUT_OF_CONTACT}|stop sending) `)

const STOP = `(?:stop${NO_VISIT}|stopall|revoke)`
/** "Stop this", "please stop this", "I asked you to stop this". */
const OPENING = new RegExp(`(?:^(?: ${COURTESY})*| (?:please|pls|just|must|you to)) ${STOP} `)
/** "Not interested stop". But "the bus stop", "I cannot stop" and "I do not want this to stop" ask for nothing. */
const CLOSING = new RegExp(
  `(?:^| (?!(?:a|the|my|your|next|last|first|bus|truck|train|rest|not|dont|cant|cannot|wont|never) )[a-z]+)(?<! (?:not|dont|doesnt|never) (?:wants?|wish|mean|need) (?:[a-z]+ ){0,2}to) stop(?: ${COURTESY})* $`,
)

const isOptOut = (words: string): boolean => {
  const rest = words.replace(COURTESIES, '').split(' ').filter(Boolean)
  return OPT_OUTS.has(rest.join('')) || (rest.length > 0 && rest.every((word) => OPT_OUTS.has(word)))
}

const asksToStop = (words: string): boolean => OPENING.test(words) || CLOSING.test(words)

/** The channels that a text names as ended. */
const channelsNamed = (words: string): readonly Channel[] => (endsAllContact(words) ? CHANNELS : channelsInPhrases(words))

/** The channels that a person names, in any words, as ended. A "stop" alone names none. */
export const channelsEndedByName = (said: string): readonly Channel[] => {
  const named = new Set([...channelsNamed(wordsOf(said)), ...textParts(said).flatMap(channelsAfterNo)])
  return CHANNELS.filter((channel) => named.has(channel))
}

/** The channels on which the writer of a text message wants no more contact. */
export const channelsOptedOut = (body: string): Channel[] => {
  const words = wordsOf(body)
  const parts = textParts(body)
  const named = new Set(channelsEndedByName(body))
  // A "stop" with other words ends texts only if the words name no channel. "STOP" alone always does. In "Stop. I said no calls" and "please
  // stop this, and cancel all calls", the stop is about these texts.
  const isWhole = WHOLE_OPT_OUTS.has(words.replaceAll(' ', ''))
  const isStop =
    (parts.some(asksToStop) && channelsNamed(withoutSaidNo(words)).length === 0) || parts.some((part) => asksToStop(withoutPhrases(part)))
  if (isWhole || UNSUBSCRIBING.test(words) || parts.some(isOptOut) || isStop) named.add('sms')
  return CHANNELS.filter((channel) => named.has(channel))
}

/** Adds the other channels once a stop on one channel ends all: 47 CFR 64.1200(a)(10). */
export const channelsEnded = (channels: readonly Channel[], at: Instant, revokeAllFrom: Instant): readonly Channel[] =>
  channels.length > 0 && at >= revokeAllFrom ? CHANNELS : channels
