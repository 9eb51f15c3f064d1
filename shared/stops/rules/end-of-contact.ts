import { COURTESY, NOT, VERB } from './said-words.ts'

/** Phrases that end contact on all channels. */

const NUMBER = '(?:my|this) (?:(?:phone|cell|mobile) )?number'
/** "Remove my name from the deed" is about something else. */
const NAME = 'my (?:name|info|information|details)'
const LISTS = '(?:(?:call|calling|calls|contact|phone|text|texting|mailing|marketing) )?(?:lists?|system|database|records)'
const FROM_LIST = `(?:from|off) (?:of )?(?:(?:all|the|this|your) )?${LISTS}`
/** "I want to be removed from the deed" is about something else. So is "taken off the policy". */
const REMOVED = `(?:removed|deleted|taken (?:off|down(?! (?:to|by|for|in) )))(?! from (?!(?:all|any|this|these|your) |(?:the )?${LISTS} ))(?! (?:the|my|our|his|her|their) (?!${LISTS} ))`
/** Between "I" and "be removed". */
const ASKING = '(?:want|wish|would|like|love|need|should|must|has|have|had|ought|can|could|may|ask|asked|asking|to|please|just|really)'

/** "I did not give you my consent". "The consent form" and "permission to enter the yard" are about something else. */
const AGREEMENT = `(?:consent|permission|authorization)(?! forms? )(?! (?:for|to) (?!(?:${VERB}|be|use|share|sell|have|get|receive|send|keep|this|these|any|anyone|you|your) ))`
const CONSENT = `(?:(?:any|my|our|the|a|prior|written|express|explicit|you|yall|anyone|anybody) )*${AGREEMENT}`
/** "I take back my consent". "I take back what I said" is about something else, and so is "I take back my offer". */
const BACK = `(?:(?!(?:i|we|you) )[a-z]+ ){0,5}${AGREEMENT}`

/** Before a revocation: "I won't take back my consent", "I haven't already revoked my consent". */
const NOT_DENIED = '(?<! (?:not|dont|wont|never|havent|hasnt|didnt|cant|cannot)(?: [a-z]{1,20})?)'

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
  // Only as the whole text: "No contact yet" and "No consent form came" are reports.
  new RegExp(
    `^(?: ${COURTESY})* (?:no (?:(?:further|more) )?(?:contact|communications?|soliciting|solicitations?|solicitors|consent|permission)|(?:remove|delete) (?:the )?number|(?:permission|authorization) (?:is )?(?:revoked|withdrawn))(?: ${COURTESY})* $`,
  ),
  new RegExp(`(?<! (?:dont|not)) (?:take|get) ${NAME} off(?: ${COURTESY})* $`),
  / (?:do not|dont) communicate (?:with (?:me|us)|again|anymore) (?!(?:before|after|until|till|between|today|tonight|tomorrow|right now|yet) )/,
  new RegExp(`^(?: ${COURTESY})* (?:do not|dont) disturb(?: (?:me|us|again|anymore|${COURTESY}))* $`),
  // Spanish.
  /(?<! por que) no (?:me |nos )?(?:llamar|llamen?|llames|contacten?|contactes|escriban?|escribas|molesten?|molestes) (?!(?:antes|hoy|ahora|manana|despues|hasta) )/,
  / (?:no (?:quiero )?mas (?:llamadas|mensajes|textos)|(?:deje|deja|dejen) de (?:llamar|escribir|contactar|molestar)(?:me|nos)?) /,
  / (?:(?:i|we|hereby) revoke|(?:revoke|withdraw) (?:[a-z]+ ){0,5}(?:consent|permission)) /,
  new RegExp(`${NOT_DENIED} (?:revoking|withdrawing|rescind(?:ing)?|retract(?:ing)?|(?:take|taking) back) ${BACK} `),
  new RegExp(
    `${NOT_DENIED} (?:i|ive|we|weve|have|already|hereby) (?:revoked|withdrew|withdrawn|rescinded|retracted|took back|taken back) ${BACK} `,
  ),
  / (?:take|taking) (?:(?:any|all|my|our|the) )+(?:consent|permission|authorization) back /,
  / cancel(?:l?ing)? (?:(?:any|all|my|our|of|prior) )+(?:consent|permission) /,
  // "Is my consent revoked?" is a question.
  /(?<! (?:is|was|has|if|when|until)(?: (?:my|our|the|any))?) (?:consent|(?:my|our|any|all) (?:permission|authorization)) (?:(?:is|was|has been|hereby|now) )*(?:revoked|withdrawn|rescinded) /,
  / (?:do not|dont|does not|doesnt|no longer|never) (?:wants?|wish(?:es)?) to hear from /,
  new RegExp(` ${NOT} consent(?:ed)? `),
  new RegExp(` ${NOT} (?:ever )?(?:give|gave|given|grant(?:ed)?|provided?) ${CONSENT} `),
  new RegExp(` (?:gave|given|give) (?:you )?no ${CONSENT} `),
  new RegExp(` (?:you|yall) (?:${NOT} (?:ever )?(?:have|had|get|got|obtain(?:ed)?|receiv(?:e|ed))|(?:have|had|got) no) ${CONSENT} `),
  new RegExp(` ${VERB} (?:[a-z]+ ){0,3}without ${CONSENT} `),
]

/** Whether a text ends contact on all channels, whatever else it names. */
export const endsAllContact = (words: string): boolean => OF_ALL.some((pattern) => pattern.test(words))
