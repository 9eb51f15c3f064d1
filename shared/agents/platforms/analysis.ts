import type { ReportedOutcome } from '../../calling/call.ts'
import { outcomeNamed, outcomeOf } from '../../calling/rules/outcomes.ts'
import type { CallEnd } from './open-report.ts'

/**
 * The data that a platform's assistant extracts from a conversation. Telephony cannot tell that a person asked for a callback or never
 * wants to be called. So each platform is given this schema as its structured output, and these instructions.
 */

/** The outcomes that only the words of a conversation show. */
export const SPOKEN_OUTCOMES = [
  'callback_requested',
  'appointment_booked',
  'assigned',
  'application_link_sent',
  'not_interested',
  'do_not_call',
  'litigator',
  'wrong_number',
  'out_of_territory',
  'voicemail',
  'call_screened',
  'completed',
] as const satisfies readonly ReportedOutcome[]

export const ANALYSIS_PROMPT = [
  'Decide how the call ended, from the words of the person who was called.',
  'do_not_call: the person asked not to be called again, in any words. It wins over every other outcome.',
  'wrong_number: the person who was meant cannot be reached at this number.',
  'callback_requested: the person asked to be called at another time. Put that time into callback_time, in ISO 8601 with an offset.',
  'appointment_booked: a meeting was booked. not_interested: the person declined. litigator: the person threatened to sue.',
  'assigned: the person already has a representative. application_link_sent: the person was sent a link.',
  'out_of_territory: the person lives where no service is offered.',
  'voicemail: a machine answered. call_screened: an assistant that screens calls answered, and the person never spoke.',
  'completed: a conversation with none of these results.',
].join('\n')

/** JSON Schema of the structured output. */
export const ANALYSIS_SCHEMA = {
  type: 'object',
  properties: {
    outcome: { type: 'string', enum: [...SPOKEN_OUTCOMES], description: ANALYSIS_PROMPT },
    summary: { type: 'string', description: 'Two or three sentences about the call.' },
    callback_time: {
      type: 'string',
      description: 'When the person wants to be called, in ISO 8601 with an offset. Leave it out otherwise.',
    },
    message_left: { type: 'boolean', description: 'Whether a message was left on a machine.' },
  },
  required: ['outcome'],
} as const

/** The data that a platform extracted from a conversation. */
interface Extracted {
  readonly outcome: ReportedOutcome
  readonly summary?: unknown
  readonly callback_time?: unknown
  readonly message_left?: unknown
}

type Fields = Partial<Record<keyof Extracted, unknown>>

const textual = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const fieldsIn = (result: unknown): Fields => (typeof result === 'object' && result !== null ? result : {})

const withOutcome = (result: unknown): Extracted[] => {
  const fields = fieldsIn(result)
  const outcome = outcomeNamed(fields.outcome)
  return outcome === undefined ? [] : [{ ...fields, outcome }]
}

const isSpokenOutcome = ({ outcome }: Extracted): boolean => SPOKEN_OUTCOMES.some((spoken) => spoken === outcome)

/**
 * The result that counts, of all that a platform extracted from one conversation. A stop in any of them counts. Some results are not made
 * by our schema, so an outcome of our schema comes before any other.
 */
export const extractedFrom = (results: readonly unknown[]): Extracted | undefined => {
  const found = results.flatMap(withOutcome)
  return found.find(({ outcome }) => outcomeOf(outcome).dnc) ?? found.find(isSpokenOutcome) ?? found[0]
}

/** As `extractedFrom`, without results that a customer defines: their `outcome` may have a meaning of its own. */
export const spokenFrom = (results: readonly unknown[]): Extracted | undefined => {
  const found = extractedFrom(results)
  return found && isSpokenOutcome(found) ? found : undefined
}

/** Only a code is logged: other text may tell of the person. */
const CODE = /^[a-z]+(?:[_-][a-z]+)*$/i
const LONGEST_CODE = 40

/** Names the extracted outcome for the log, if a platform extracted one, but none that we know. */
export const unknownOutcome = (results: readonly unknown[]): string | undefined => {
  const reported = results.map((result) => textual(fieldsIn(result).outcome)?.trim()).find((text) => text)
  if (reported === undefined || extractedFrom(results)) return undefined
  return `outcome ${reported.length <= LONGEST_CODE && CODE.test(reported) ? reported : 'in many words'}`
}

/**
 * Ends of a call for which the analysis of the conversation is more exact than telephony. A transfer that succeeded is certain, so it is
 * not here.
 */
const DECIDED_BY_WORDS: ReadonlySet<CallEnd> = new Set(['completed', 'hung_up', 'voicemail', 'unknown', 'transfer_unavailable'])

/** Whether the conversation's analysis may change the reported end. */
export const isDecidedByWords = (end: CallEnd): boolean => DECIDED_BY_WORDS.has(end)

/** Whether the spoken outcome replaces the end. `completed` says less than a transfer that failed. */
const isBetter = (spoken: ReportedOutcome, end: CallEnd): boolean =>
  outcomeOf(spoken).dnc || (isDecidedByWords(end) && !(end === 'transfer_unavailable' && spoken === 'completed'))

/**
 * The data of a `call.completed` report. A stop that was spoken always counts, whatever telephony says.
 * @param result what the platform extracted by our schema, if anything
 */
export const completionOf = (end: CallEnd, result: unknown, summary?: unknown): Readonly<Record<string, unknown>> => {
  const fields = fieldsIn(result)
  const spoken = extractedFrom([result])?.outcome
  const isSpoken = spoken !== undefined && isBetter(spoken, end)
  const words = textual(fields.summary) ?? textual(summary)
  return {
    outcome: isSpoken ? spoken : end === 'cancelled' ? 'failed' : end,
    ...(words !== undefined && { summary: words }),
    ...(isSpoken && textual(fields.callback_time) !== undefined && { callback_time: fields.callback_time }),
    ...(typeof fields.message_left === 'boolean' && { message_left: fields.message_left }),
  }
}
