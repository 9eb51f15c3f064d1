import { CHANNELS, type Channel } from '../compliance.ts'

/** The words of a text, and the channels that they name. */

/** Words beside a request that change nothing. */
export const COURTESY = '(?:please|pls|just|it|now|all|thanks|thank you|ok|okay|already|immediately)'

/** "Stop by at noon", "stop at my house", "stop in today". But "stop at once" and "stop in future" are no visits. */
const PLACE_OR_TIME =
  '(?:$|(?:a|an|my|our|(?:the|your) (?!future|name|earliest)[a-z]+|home|work|town|person|here|noon|midnight|am|pm|today|tonight|tomorrow|around|about|for) )'
/** After "stop": it is no visit. */
export const NO_VISIT = `(?! (?:by (?!law )|over |(?:at|in) ${PLACE_OR_TIME}))`

/** Words that deny a verb. */
export const NOT = '(?:do not|dont|does not|doesnt|did not|didnt|have not|havent|no longer|never)'

const VERBS: Readonly<Record<Channel, string>> = {
  call: '(?:robo)?call(?:s|ed|ing)?|phon(?:e|es|ed|ing)|ring(?:s|ing)?',
  sms: '(?:robo)?text(?:s|ed|ing)?|messag(?:e|es|ed|ing)|sms',
}
/** Verbs of every channel. */
const OF_ANY_CHANNEL =
  'contact(?:s|ed|ing)?|bother(?:ed|ing)?|harass(?:ed|ing|ment)?|solicit(?:ed|ing|ations?)?|reach(?:ed|ing)? out|get(?:ting)? in touch'
/** A verb, or its noun, for contact by some channel. */
export const VERB = `(?:${VERBS.call}|${VERBS.sms}|${OF_ANY_CHANNEL})`

/** Other spellings, and words written together: "txt", "dnt", "u", "stopcalling", "call/text". */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\btxt(?=(?:s|ed|ing)?\b)/g, 'text'],
  [/\bmsg(?=s?\b)/g, 'message'],
  [/\bmsging\b/g, 'messaging'],
  [/\bdnt\b/g, 'dont'],
  [/\bu\b/g, 'you'],
  [/\bwanna\b/g, 'want to'],
  [/\bstopp+\b/g, 'stop'],
  [/\bunsub?s?c?r?ibe(?=d?\b)/g, 'unsubscribe'],
  [/\bplz\b/g, 'please'],
  // "No, calls are fine" is an answer. "No calls are fine" is not.
  [/^(\W*)no(?=[,;:.!])/g, '$1nope'],
  [/\b(stop|dont)((?:call|text|messag|contact)(?:ing|e?s|e)?)(me)?\b/g, '$1 $2 $3'],
  [new RegExp(`\\b(${VERB}(?: me)?) ?[/&+] ?(?=${VERB}\\b)`, 'g'), '$1 or '],
  // "Don't call, text or email me". But "don't call, text me" asks for texts, and so does "don't call, text or email me instead".
  [
    new RegExp(
      `\\b(${VERB}), (?=(?:${VERB},? ){1,3}(?:or|and|nor) (?:e[ -]?mail(?:s|ing)?|writ(?:e|ing)|${VERB})\\b(?! (?:(?:to )?(?:me|us) )?(?:instead|only|please|are|work)\\b))`,
      'g',
    ),
    '$1 or ',
  ],
]

/** The words in small letters, each between two blanks. */
export const wordsOf = (text: string): string => {
  const letters = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/['’`\p{M}]/gu, '')
  const words = SPELLINGS.reduce((all, [pattern, spelling]) => all.replace(pattern, spelling), letters).replace(/[^a-z]+/g, ' ')
  return ` ${words.trim()} `
}

/** The words of the whole text and of its parts: a "stop" counts between two marks too. */
export const textParts = (text: string): string[] => [text, ...text.split(/[.!?,;:()"\n–—]| -/)].map(wordsOf)

const ANY_CHANNEL = new RegExp(`\\b(?:${OF_ANY_CHANNEL})`)
const NAMES = { call: new RegExp(`\\b(?:${VERBS.call})\\b`), sms: new RegExp(`\\b(?:${VERBS.sms})\\b`) }

/** The channels that these words mean. Words of no channel mean all. */
export const channelsIn = (verbs: string): readonly Channel[] => {
  const named = CHANNELS.filter((channel) => NAMES[channel].test(verbs))
  return named.length === 0 || ANY_CHANNEL.test(verbs) ? CHANNELS : named
}
