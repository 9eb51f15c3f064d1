import type { Channel } from '../compliance.ts'
import { COURTESY, channelsIn, NO_VISIT, NOT, VERB } from './said-words.ts'

/** Phrases that end the channels that they name. */

/** "call", "call or text", "calling me and texting". A match takes all of the verbs, and not only the first ones. */
const LIST = `${VERB}(?: (?:me )?(?:or|and|nor) ${VERB})*(?= )(?! (?:me )?(?:or|and|nor) ${VERB} )`
const FILLERS = 'all|any|the|these|those|your|sending|making|ever|to'
const FILLER = `(?:(?:${FILLERS}) )*`
/** Up to so many other words, as in "stop with the calls". Then only nouns and forms in -ing count: "Can't stop now, call me" is no stop. */
const OTHERS = (most: number): string => `(?:(?!(?:by|than) )[a-z]+ ){1,${most}}(?=[a-z]+(?:s|ing) )`

/** "Calls", "phone calls or texts". Verbs do not count: "I said no, call me tomorrow" is no stop. */
const NOUN = '(?:(?:phone|cell|text|sms) )?(?:robo)?(?:calls|texts|messages)'
const CONTACTS = `(${NOUN}(?: (?:(?:or|and|nor) (?:no )?|no )${NOUN})*)`
/** "I said no calls came in", "I said no. Calls are fine", "I said no. Texts only". */
const REPORTED = '(?! (?:are|is|was|were|came|come|got|went|has|have|had|only|needed|necessary|required) )'
/** "No calls came in" is a report. "No calls, only texts" ends calls. */
const REPORTED_NO =
  '(?! (?:(?:are|is) (?:fine|ok|okay|good|great|welcome|best)|was|were|came|come|got|went|have|had|yet|so far|received|missed|lately|from (?:you|anyone|anybody)) )'

/** "I told you no calls", "I asked for no texts". */
const SAID_NO = ` (?:(?:tell|telling|told) (?:you|yall) (?:[a-z]+ (?:times )?)?|(?:say|saying|said) |(?:ask(?:ed|ing)?|request(?:ed|ing)?) (?:you )?(?:for )?|(?:please|pls|only|absolutely) )(?:no )?no (?:to )?(?:(?:${FILLERS}|more|of|sales|spam) )*${CONTACTS}(?= )${REPORTED}`

/** "The calls", "all of these spam texts". But "my calls" may be the person's own. */
const THE = '(?:(?:all|any|of|the|these|those|this|your|such|sales|spam|marketing|automated|unwanted|annoying) ){0,4}'
const ENDING_NOUN =
  '(?:(?:phone|cell|text|sms) )?(?:robo)?(?:calls|calling|texts|texting|messages|messaging|harassment|harassing|solicitations?|soliciting|contact|communications?)'
/** "Texts, emails and calls". */
const ENDING_NOUNS = `(${ENDING_NOUN}(?: (?:(?:or|and|nor|plus|as well as) )?${THE}(?:e ?mails|voicemails|${ENDING_NOUN})){0,3})`
/** "The calls from your company", "the calls to my phone". */
const OF_WHOM = '(?: (?:from|to)(?: (?!(?:i|we) )[a-z]+){1,3}?)?'
/** "Calls must end by nine" and "the calls have to stop before nine" ask for another time. */
const TO_END = `(?:stop${NO_VISIT}|cease|quit|end(?! (?:up|at|by|around) )|be (?:stopped|ended)(?! (?:at|by) ))(?! (?:before|after|between|(?:until|till)(?! further)) )`

/** "Do not call me before noon" asks for another time. */
const OTHER_TIME =
  '(?:(?:to )?(?:me|us|here) )?(?:before|(?:until|till)(?! further)|after|between|today|tonight|tomorrow|right now|yet|so early|so late) '

const ENDED = [
  new RegExp(` (?:stop|quit|cease|discontinue|no more|no further|wants? no) ${FILLER}(?:${OTHERS(2)})?${LIST}`, 'g'),
  new RegExp(
    ` (?:stop|keep|prevent) (?:me|us|my (?:phone|number)) from (?:getting|receiving|being) ${FILLER}((?:${OTHERS(2)})?${LIST})`,
    'g',
  ),
  new RegExp(` (?:unsubscribe|opt out|opt me out|(?<! not )opting (?:me )?out|revoke) ${OTHERS(5)}${LIST}`, 'g'),
  new RegExp(` never (?![a-z]+ed )${LIST} (?:(?:to )?(?:me|us) )?again(?= )`, 'g'),
  /(?:^| (?:please|pls|to|and|must)) end (?:(?:all|the|these|those|your) )?(?:calls|texts|messages)(?= )/g,
  /^ no (?:calls|texts|messages)(?: (?:or|and) (?:calls|texts|messages))? /g,
  // "I refrain from texting while I drive" is about the person's own texts.
  new RegExp(
    `(?<! (?:i|ill|im|we|well)(?: (?:will|must|should|can|could|would|always|usually|try to|have to))?) (?:refrain|desist|abstain) from ${FILLER}(?:${OTHERS(2)})?${LIST}(?! ${OTHER_TIME})`,
    'g',
  ),
  // "These calls need to stop". "My calls have to end early" is about the person's own calls.
  new RegExp(
    `(?<! (?:my|our)(?: (?:work|business|own))?) ${ENDING_NOUNS}${OF_WHOM} (?:needs? to|must|should|shall|(?:have|has|had|got|ought) to|gotta|better) ${TO_END}(?= )`,
    'g',
  ),
  // "I want the calls to stop", "make the calls stop".
  new RegExp(
    `(?<! (?:not|dont|doesnt|didnt|never)) (?:wants?|wanted|wish|needs?|like|love|get|have) ${THE}${ENDING_NOUNS}${OF_WHOM} (?:to ${TO_END}|stopped|ended)(?= )(?! by )`,
    'g',
  ),
  new RegExp(
    `(?<! (?:not|dont|doesnt|didnt|never)) (?:make|making|ensure)(?: sure)?(?: that)? ${THE}${ENDING_NOUNS}${OF_WHOM} ${TO_END}(?= )`,
    'g',
  ),
  new RegExp(`^ ${THE}${ENDING_NOUNS} (?:to )?stop(?: ${COURTESY})* $`, 'g'),
]

/** "I do not authorize you to contact my bank" is about somebody else. */
const OF_OTHERS = '(?! (?:my|our|his|her|their|the) (?!(?:phone|cell|mobile|home|house|work|number|line|office|wife|husband|family|kids) ))'

const REFUSALS = [
  ` (?:do not|dont) ${FILLER}${LIST}`,
  // "I don't want to be called", "I don't want you to call". But "I don't want to text" is about the person's own texts.
  ` (?:do not|dont|does not|doesnt|no longer|never) (?:wants?|wish(?:es)?) (?!to ${VERB} )(?:(?:${FILLERS}|you|be|receive|get|more|further|of) )*${LIST}(?! to (?:stop|end|cease)(?: ${COURTESY})* $)`,
  // "You never call me" and "never called me" are complaints.
  `(?:^| (?!(?:i|you|we|they|he|she|who|have|has|had|ive|youve|did|would|could|can) )[a-z]+) never (?![a-z]+ed )${FILLER}${LIST}`,
  // "I asked you not to call". But "I was told not to call" and "they told me not to call" are about the person's own calls.
  `(?<! (?:was|were|am|is|are|been|got)) (?:tell|telling|told|say|saying|said|ask(?:ed|ing)?|request(?:ed|ing)?|warn(?:ed|ing)?) (?:(?!(?:me|us|my|our) )[a-z]+ (?:[a-z]+ ){0,5}?)?(?:not to|to not) (?:be )?${FILLER}(${LIST})(?! you )`,
  ` (?:want|wish|like|prefer|need) (?:(?:you|yall) not to|not to be) ${LIST}`,
  SAID_NO,
  ` (?:youre|(?:you|yall) are) (?:not|no longer) (?:(?:supposed|allowed|permitted|authorized|welcome) )?to ${LIST}`,
  ` (?:youre|(?:you|yall) are) (?:hereby )?(?:forbidden|prohibited|barred|banned) (?:from|to) ${FILLER}${LIST}`,
  ` (?:i|we|hereby|must|am) (?:hereby )?(?:forbid|prohibit)(?:ding|ing)? (?:(?:${FILLERS}|you|yall|anyone|from|further|more) )*${LIST}${OF_OTHERS}`,
  ` ${NOT} authori[sz]ed? (?:(?:${FILLERS}|you|yall|anyone|anybody|company|or|and|further|more|of|such) )*${LIST}${OF_OTHERS}`,
  // "If you may not call, text me" and "you should not text while driving" forbid nothing.
  `(?<! (?:if|when|because|since)) (?:you|yall) (?:(?:may|can|must|should|shall) no longer|(?:may|must|should|shall) (?:not|never)|mustnt|shouldnt) (?:be )?${FILLER}${LIST}(?! (?:and|while) driv)`,
  `(?<! (?:if|when|because|since)) (?:you|yall) (?:cannot|cant|can not) ${FILLER}${LIST} (?:(?:me|us|here|this number) )?(?:again|anymore|any more|ever)(?= )`,
  // "Cancel all calls for tomorrow" is about appointments.
  `(?:^| (?:please|pls|(?<! how )to|and|must)) cancel (?:(?:all|any|of|the|these|those|your|future|further|more) )*(${NOUN}(?: (?:or|and) ${NOUN})*)(?! (?:for|on|this|next|scheduled|at) )`,
]
const refusals = (exception: string) => REFUSALS.map((pattern) => new RegExp(`${pattern}${exception}`, 'g'))
/** A part that begins with "no": "Please email only, no phone calls". */
const REFUSED_AT_START = new RegExp(`^(?: ${COURTESY})* no ${THE}${CONTACTS}(?= )${REPORTED_NO}(?! ${OTHER_TIME})`)
const REFUSED = refusals('')
const REFUSED_NOW = refusals(`(?! ${OTHER_TIME})`)
const FOR_GOOD = new RegExp(` (?:ever|never(?! ${VERB} )|again|anymore|any more) `)

const SAID_NO_ANYWHERE = new RegExp(SAID_NO, 'g')

/** The words without "I told you no calls": a "stop" beside it is not about these calls. */
export const withoutSaidNo = (words: string): string => words.replaceAll(SAID_NO_ANYWHERE, ' ')

const phrasesFor = (words: string): readonly RegExp[] => [...ENDED, ...(FOR_GOOD.test(words) ? REFUSED : REFUSED_NOW)]

/** The channels that the phrases in a text name. */
export const channelsInPhrases = (words: string): readonly Channel[] =>
  phrasesFor(words).flatMap((pattern) => [...words.matchAll(pattern)].flatMap(([all, verbs = all]) => channelsIn(verbs)))

/** The words that belong to no phrase. */
export const withoutPhrases = (words: string): string =>
  phrasesFor(words)
    .reduce((left, pattern) => left.replaceAll(pattern, ' '), words)
    .replace(/ +/g, ' ')

/** The channels that a part of a text names after a "no" at its beginning. */
export const channelsAfterNo = (part: string): readonly Channel[] => {
  const [, contacts] = REFUSED_AT_START.exec(part) ?? []
  return contacts === undefined ? [] : channelsIn(contacts)
}
