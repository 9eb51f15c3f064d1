import { REPORTED_OUTCOMES, type ReportedOutcome } from '../../calling/call.ts'
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

interface Analysis {
  readonly outcome: ReportedOutcome
  readonly summary?: unknown
  readonly callback_time?: unknown
  readonly message_left?: unknown
}

/**
 * Ends of a call for which the analysis of the conversation is more exact than telephony. A reported transfer is certain, so it is not
 * here.
 */
const DECIDED_BY_WORDS: ReadonlySet<CallEnd> = new Set(['completed', 'hung_up', 'voicemail', 'unknown'])

/** Whether the conversation's analysis may change the reported end. */
export const isDecidedByWords = (end: CallEnd): boolean => DECIDED_BY_WORDS.has(end)

const textual = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * The data of a `call.completed` report. A stop that was spoken always counts, whatever telephony says.
 * @param extracted what the platform extracted by our schema, if anything
 */
export const completionOf = (end: CallEnd, extracted: unknown, summary?: unknown): Readonly<Record<string, unknown>> => {
  const analysis: Partial<Analysis> = typeof extracted === 'object' && extracted !== null ? extracted : {}
  const spoken = REPORTED_OUTCOMES.find((outcome) => outcome === analysis.outcome)
  const isSpoken = spoken !== undefined && (isDecidedByWords(end) || spoken === 'do_not_call')
  const words = textual(analysis.summary) ?? textual(summary)
  return {
    outcome: isSpoken ? spoken : end === 'cancelled' ? 'failed' : end,
    ...(words !== undefined && { summary: words }),
    ...(isSpoken && textual(analysis.callback_time) !== undefined && { callback_time: analysis.callback_time }),
    ...(typeof analysis.message_left === 'boolean' && { message_left: analysis.message_left }),
  }
}
