import type { Instant } from '../../platform/values/values.ts'
import { CHANNELS, type Channel } from '../compliance.ts'

/** What a person says to be left alone. */

/** One of these words alone opts out of texts: 47 CFR 64.1200(a)(10), and others that carriers accept. */
const OPT_OUTS = new Set(['stop', 'stopall', 'quit', 'end', 'revoke', 'optout', 'cancel', 'unsubscribe'])

const COURTESIES = /\b(?:please|pls|now|thanks|thank you)\b/g

/** Phrases in free text. Longer texts than a word have no list in the law: a person may revoke by any reasonable means. */
const PHRASES: readonly (readonly [channels: readonly Channel[], phrases: readonly string[]])[] = [
  [['call'], ['stop calling', 'quit calling', 'stop phoning', 'no more calls', 'never call']],
  [['sms'], ['stop texting', 'stop messaging', 'quit texting', 'no more texts', 'no more messages', 'never text', 'opt out', 'opt me out']],
  [['sms'], ['unsubscribe', 'stop sending']],
  [CHANNELS, ['stop contacting', 'never contact', 'stop bothering', 'stop harassing', 'leave me alone', 'lose my number', 'take me off']],
  [CHANNELS, ['remove me', 'remove my number', 'delete my number', 'revoke my consent', 'withdraw my consent']],
]

/** "Do not call me before noon" asks for another time. "Do not call me" ends all calls. */
const REFUSED: readonly (readonly [channels: readonly Channel[], verbs: string])[] = [
  [['call'], 'call|phone|ring'],
  [['sms'], 'text|message|sms'],
  [CHANNELS, 'contact|bother'],
]
const TIMES = 'before|until|till|after|between|during|while|today|tonight|tomorrow|now|right now|yet|so (?:early|late)'
const REFUSALS = REFUSED.map(
  ([channels, verbs]) => [channels, new RegExp(` (?:do not|dont) (?:ever )?(?:${verbs}) (?!(?:(?:me|us|here) )?(?:${TIMES}) )`)] as const,
)

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[’']/g, '')
    .replace(/[^a-z]+/g, ' ')
    .trim()

/** The channels on which the writer of a text message wants no more contact. */
export const channelsOptedOut = (body: string): Channel[] => {
  const words = lettersOf(body)
  if (OPT_OUTS.has(words.replace(COURTESIES, '').replaceAll(' ', ''))) return ['sms']
  const text = ` ${words} `
  const phrased = PHRASES.flatMap(([channels, phrases]) => (phrases.some((phrase) => text.includes(` ${phrase} `)) ? channels : []))
  const refused = REFUSALS.flatMap(([channels, pattern]) => (pattern.test(text) ? channels : []))
  const found = new Set([...phrased, ...refused])
  return CHANNELS.filter((channel) => found.has(channel))
}

/**
 * The channels that a person's stop on some of them ends. From `revokeAllFrom` on, a stop on one channel ends all: 47 CFR 64.1200(a)(10).
 */
export const channelsEnded = (channels: readonly Channel[], at: Instant, revokeAllFrom: Instant): readonly Channel[] =>
  channels.length > 0 && at >= revokeAllFrom ? CHANNELS : channels
