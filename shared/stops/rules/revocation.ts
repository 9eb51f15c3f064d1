import type { Instant } from '../../platform/values/values.ts'
import { CHANNELS, type Channel } from '../compliance.ts'

/** Texts with which a person asks for no more contact. A person may do so by any reasonable means: when in doubt, contact ends. */

/** Words that opt out of texts: 47 CFR 64.1200(a)(10), and others that carriers accept. */
const OPT_OUTS = new Set('stop stopall quit end revoke optout optedout cancel unsubscribe unsub remove dnd'.split(' '))
/** Texts that opt out only if they say nothing else: "Alto" is also a town in Texas. */
const WHOLE_OPT_OUTS = new Set(['nomore', 'alto', 'parar', 'ialreadyoptedout', 'ioptedout'])
/** Words beside them that change nothing. */
const COURTESY = '(?:please|pls|just|it|now|all|thanks|thank you|ok|okay|already|immediately)'
const COURTESIES = new RegExp(`\\b${COURTESY}\\b`, 'g')
/** Words that open an opt-out anywhere in a text. */
const UNSUBSCRIBING = / (?:unsub|unsubscribed?|opt out|opt me out|stop sending) /

/** "Stop by at noon", "stop at my house", "stop in today". But "stop at once" and "stop in future" are no visits. */
const PLACE_OR_TIME =
  '(?:$|(?:a|an|my|our|(?:the|your) (?!future|name|earliest)[a-z]+|home|work|town|person|here|noon|midnight|am|pm|today|tonight|tomorrow|around|about|for) )'
const STOP = `(?:stop(?! (?:by (?!law )|over |(?:at|in) ${PLACE_OR_TIME}))|stopall|revoke)`
/** "Stop this", "please stop this", "I asked you to stop this". */
const OPENING = new RegExp(`(?:^(?: ${COURTESY})*| (?:please|pls|just|must|you to)) ${STOP} `)
/** "Not interested stop". But "the bus stop" and "I cannot stop" ask for nothing. */
const CLOSING = new RegExp(
  `(?:^| (?!(?:a|the|my|your|next|last|first|bus|truck|train|rest|not|dont|cant|cannot|wont|never) )[a-z]+) stop(?: ${COURTESY})* $`,
)

const VERBS: Readonly<Record<Channel, string>> = {
  call: '(?:robo)?call(?:s|ed|ing)?|phon(?:e|es|ed|ing)|ring(?:s|ing)?',
  sms: '(?:robo)?text(?:s|ed|ing)?|messag(?:e|es|ed|ing)|sms',
}
const VERB = `(?:${VERBS.call}|${VERBS.sms}|contact(?:s|ed|ing)?|bother(?:ed|ing)?|harass(?:ed|ing|ment)?|solicit(?:ed|ing|ations?)?)`
/** "call", "call or text", "calling me and texting". A match takes all of the verbs, and not only the first ones. */
const LIST = `${VERB}(?: (?:me )?(?:or|and|nor) ${VERB})*(?= )(?! (?:me )?(?:or|and|nor) ${VERB} )`
const FILLERS = 'all|any|the|these|those|your|sending|making|ever|to'
const FILLER = `(?:(?:${FILLERS}) )*`
/** Up to so many other words, as in "stop with the calls". Then only nouns and forms in -ing count: "Can't stop now, call me" is no stop. */
const OTHERS = (most: number): string => `(?:(?!(?:by|than) )[a-z]+ ){1,${most}}(?=[a-z]+(?:s|ing) )`

/** "Calls", "phone calls or texts". Verbs do not count: "I said no, call me tomorrow" is no stop. */
const CONTACTS = '((?:(?:phone|cell) )?(?:robo)?(?:calls|texts|messages)(?: (?:or|and|nor) (?:calls|texts|messages))*)'
/** "I said no calls came in", "I said no. Calls are fine", "I said no. Texts only". */
const REPORTED = '(?! (?:are|is|was|were|came|come|got|went|has|have|had|only|needed|necessary|required) )'

/** "I told you no calls", "I asked for no texts". */
const SAID_NO = ` (?:(?:tell|telling|told) (?:you|yall) (?:[a-z]+ (?:times )?)?|(?:say|saying|said) |(?:ask(?:ed|ing)?|request(?:ed|ing)?) (?:you )?(?:for )?|(?:please|pls) )(?:no )?no (?:to )?(?:(?:${FILLERS}|more|of|sales|spam) )*${CONTACTS}(?= )${REPORTED}`

const ENDED = [
  new RegExp(` (?:stop|quit|cease|discontinue|no more|no further|wants? no) ${FILLER}(?:${OTHERS(2)})?${LIST}`, 'g'),
  new RegExp(` (?:unsubscribe|opt out|opt me out|revoke) ${OTHERS(5)}${LIST}`, 'g'),
  new RegExp(` never (?![a-z]+ed )${LIST} (?:(?:me|us) )?again(?= )`, 'g'),
  /(?:^| (?:please|pls|to|and|must)) end (?:(?:all|the|these|those|your) )?(?:calls|texts|messages)(?= )/g,
  /^ no (?:calls|texts|messages)(?: (?:or|and) (?:calls|texts|messages))? /g,
]

const REFUSALS = [
  ` (?:do not|dont) ${FILLER}${LIST}`,
  // "I don't want to be called", "I don't want you to call". But "I don't want to text" is about the person's own texts.
  ` (?:do not|dont|does not|doesnt|no longer|never) (?:wants?|wish(?:es)?) (?!to ${VERB} )(?:(?:${FILLERS}|you|be|receive|get|more|further|of) )*${LIST}`,
  // "You never call me" and "never called me" are complaints.
  `(?:^| (?!(?:i|you|we|they|he|she|who|have|has|had|ive|youve|did|would|could|can) )[a-z]+) never (?![a-z]+ed )${FILLER}${LIST}`,
  // "I asked you not to call". But "I was told not to call" and "they told me not to call" are about the person's own calls.
  `(?<! (?:was|were|am|is|are|been|got)) (?:tell|telling|told|say|saying|said|ask(?:ed|ing)?|request(?:ed|ing)?|warn(?:ed|ing)?) (?:(?!(?:me|us|my|our) )[a-z]+ (?:[a-z]+ ){0,5}?)?(?:not to|to not) (?:be )?${FILLER}(${LIST})(?! you )`,
  ` (?:want|wish|like|prefer|need) (?:(?:you|yall) not to|not to be) ${LIST}`,
  SAID_NO,
  ` (?:youre|(?:you|yall) are) not (?:(?:supposed|allowed|permitted|authorized) )?to ${LIST}`,
]
/** "Do not call me before noon" asks for another time. */
const OTHER_TIME = '(?:(?:me|us|here) )?(?:before|until|till|after|between|today|tonight|tomorrow|right now|yet|so early|so late) '
const refusals = (exception: string) => REFUSALS.map((pattern) => new RegExp(`${pattern}${exception}`, 'g'))
const REFUSED = refusals('')
const REFUSED_NOW = refusals(`(?! ${OTHER_TIME})`)
const FOR_GOOD = new RegExp(` (?:ever|never(?! ${VERB} )|again|anymore|any more) `)

const NUMBER = '(?:my|this) (?:(?:phone|cell|mobile) )?number'
/** "Remove my name from the deed" is about something else. */
const NAME = 'my (?:name|info|information|details)'
const LISTS = '(?:(?:call|calling|calls|contact|phone|text|texting|mailing|marketing) )?(?:lists?|system|database|records)'
const FROM_LIST = `(?:from|off) (?:of )?(?:(?:all|the|this|your) )?${LISTS}`
/** "I want to be removed from the deed" is about something else. So is "taken off the policy". */
const REMOVED = `(?:removed|deleted|taken (?:off|down(?! (?:to|by|for|in) )))(?! from (?!(?:all|any|this|these|your) |(?:the )?${LISTS} ))(?! (?:the|my|our|his|her|their) (?!${LISTS} ))`
/** Between "I" and "be removed". */
const ASKING = '(?:want|wish|would|like|love|need|should|must|has|have|had|ought|can|could|may|ask|asked|asking|to|please|just|really)'

const NO = '(?:do not|dont|does not|doesnt|did not|didnt|have not|havent|no longer|never)'
/** "I did not give you my consent". "The consent form" and "permission to enter the yard" are about something else. */
const CONSENT = `(?:(?:any|my|our|the|a|prior|written|express|explicit|you|yall|anyone|anybody) )*(?:consent|permission|authorization)(?! forms? )(?! (?:for|to) (?!(?:${VERB}|be|use|share|sell|have|get|receive|send|keep|this|these|any|anyone|you|your) ))`

const OF_ALL = [
  / (?:leave (?:me|us) alone|lose (?:my|this) number|cease and desist|dnc) /,
  /(?:^| (?:please|pls|must)) (?:end|stop|cease|discontinue) (?:all )?communications? /,
  new RegExp(` (?:(?:take|get) (?:me|us|${NUMBER}) off|(?:remove|delete) (?:me|us|${NUMBER})) `),
  // "Take my number down and call me" means to write it.
  new RegExp(
    `(?<!(?:^| please) (?:dont|do not)) (?:take|get) ${NUMBER} down (?!(?:and|so) (?:(?:you|he|she|they|somebody|someone) )?(?:(?:can|could|will|please) )?(?:call|text|phone|reach|contact|give) |in case |its (?:a new |$))`,
  ),
  new RegExp(`(?<!(?:^| please) (?:dont|do not)) (?:take|get) (?:me|us|${NAME}) down ${FROM_LIST} `),
  new RegExp(`(?<! (?:dont|not)) (?:take|remove|delete) (?:(?:${NAME} )?${FROM_LIST} |${NAME} $)`),
  new RegExp(` (?:have|get|(?<! (?:dont|do not) )(?:want|need|like)) (?:me|us|${NUMBER}|${NAME}) (?:to be )?${REMOVED} `),
  new RegExp(`(?:^| (?:i|id|we|wed|${NUMBER}|${NAME}))(?: ${ASKING})* (?:be|get) ${REMOVED} `),
  new RegExp(` (?:want|wants|like|get) (?=off )${FROM_LIST} `),
  new RegExp(` (?:(?:please|pls|kindly|interested) remove|remove (?:please|pls))(?: ${COURTESY})* $`),
  / (?:removeme|takemeoff|donotcall) /,
  new RegExp(`^(?: ${COURTESY})* (?:do not|dont) disturb(?: (?:me|us|again|anymore|${COURTESY}))* $`),
  // Spanish.
  / no (?:me |nos )?(?:llamen?|llames|contacten?|contactes|escriban?|escribas|molesten?|molestes) (?!(?:antes|hoy|ahora|manana|despues|hasta) )/,
  / (?:no (?:quiero )?mas (?:llamadas|mensajes|textos)|(?:deje|deja|dejen) de (?:llamar|escribir|contactar|molestar)(?:me|nos)?) /,
  / (?:(?:i|we|hereby) revoke|(?:revoke|withdraw) (?:[a-z]+ ){0,5}(?:consent|permission)) /,
  / (?:do not|dont|does not|doesnt|no longer|never) (?:wants?|wish(?:es)?) to hear from /,
  new RegExp(` ${NO} consent(?:ed)? `),
  new RegExp(` ${NO} (?:ever )?(?:give|gave|given|grant(?:ed)?|provided?) ${CONSENT} `),
  new RegExp(` (?:gave|given|give) (?:you )?no ${CONSENT} `),
  new RegExp(` (?:you|yall) (?:${NO} (?:ever )?(?:have|had|get|got|obtain(?:ed)?|receiv(?:e|ed))|(?:have|had|got) no) ${CONSENT} `),
  new RegExp(` ${VERB} (?:[a-z]+ ){0,3}without ${CONSENT} `),
]

/** The words in small letters, each between two blanks. */
const wordsOf = (text: string): string => {
  const words = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/['’`\p{M}]/gu, '')
    .replace(/[^a-z]+/g, ' ')
  return ` ${words.trim()} `
}

/** The words of the whole text and of its parts: a "stop" counts between two marks too. */
const partsOf = (text: string): string[] => [text, ...text.split(/[.!?,;:()"\n–—]| -/)].map(wordsOf)

const NO_CONTACTS = new RegExp(SAID_NO, 'g')

const NAMES = { call: new RegExp(`\\b(?:${VERBS.call})\\b`), sms: new RegExp(`\\b(?:${VERBS.sms})\\b`) }

const channelsIn = (verbs: string): readonly Channel[] => {
  const named = CHANNELS.filter((channel) => NAMES[channel].test(verbs))
  return named.length === 0 || /\b(?:contact|bother|harass|solicit)/.test(verbs) ? CHANNELS : named
}

/** The channels that a text names as ended. */
const channelsNamed = (words: string): readonly Channel[] => {
  if (OF_ALL.some((pattern) => pattern.test(words))) return CHANNELS
  const refused = FOR_GOOD.test(words) ? REFUSED : REFUSED_NOW
  return [...ENDED, ...refused].flatMap((pattern) => [...words.matchAll(pattern)].flatMap(([all, verbs = all]) => channelsIn(verbs)))
}

const isOptOut = (words: string): boolean => {
  const rest = words.replace(COURTESIES, '').split(' ').filter(Boolean)
  return OPT_OUTS.has(rest.join('')) || (rest.length > 0 && rest.every((word) => OPT_OUTS.has(word)))
}

const asksToStop = (words: string): boolean => OPENING.test(words) || CLOSING.test(words)

/** The channels that a person names, in any words, as ended. A "stop" alone names none. */
export const channelsEndedByName = (said: string): readonly Channel[] => channelsNamed(wordsOf(said))

/** The channels on which the writer of a text message wants no more contact. */
export const channelsOptedOut = (body: string): Channel[] => {
  const words = wordsOf(body)
  const parts = partsOf(body)
  const named = new Set(channelsNamed(words))
  // A "stop" with other words ends texts only if the words name no channel. "STOP" alone always does. In "Stop. I said no calls", the stop is
  // about these texts.
  const isWhole = WHOLE_OPT_OUTS.has(words.replaceAll(' ', ''))
  const isStop = parts.some(asksToStop) && channelsNamed(words.replaceAll(NO_CONTACTS, ' ')).length === 0
  if (isWhole || UNSUBSCRIBING.test(words) || parts.some(isOptOut) || isStop) named.add('sms')
  return CHANNELS.filter((channel) => named.has(channel))
}

/** Adds the other channels once a stop on one channel ends all: 47 CFR 64.1200(a)(10). */
export const channelsEnded = (channels: readonly Channel[], at: Instant, revokeAllFrom: Instant): readonly Channel[] =>
  channels.length > 0 && at >= revokeAllFrom ? CHANNELS : channels
