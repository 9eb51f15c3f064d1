import { SECOND } from '../../platform/values/durations.ts'
import { CHANNELS } from '../../stops/compliance.ts'
import { ANALYSIS_SCHEMA, completionOf } from './analysis.ts'
import type { OpenReport } from './open-report.ts'

/**
 * The tools with which an assistant reports and asks during a call. The definitions for all platforms are made of these, and the requests
 * of all platforms end in `answerTool`.
 */
export const TOOL_NAMES = ['do_not_call', 'note', 'find_slots', 'book_slot', 'report_outcome'] as const
export type ToolName = (typeof TOOL_NAMES)[number]

/** Milliseconds in which a platform waits for the answer of a tool. A calendar may take eight seconds. */
export const TOOL_TIMEOUT = 20 * SECOND

type JsonType = 'string' | 'integer' | 'boolean'

/** A parameter, in the part of JSON Schema that every platform takes. */
export interface ToolParameter {
  readonly type: JsonType
  readonly description: string
  readonly enum?: readonly string[]
}

interface Tool {
  readonly description: string
  readonly parameters: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, ToolParameter>>
    readonly required: readonly string[]
  }
}

const tool = (description: string, properties: Tool['parameters']['properties'], required: readonly string[] = []): Tool => ({
  description,
  parameters: { type: 'object', properties, required },
})

const TIME = 'In ISO 8601 with an offset, such as 2030-01-17T15:00:00-05:00.'
const { outcome, summary, callback_time, message_left } = ANALYSIS_SCHEMA.properties

const TOOLS: Readonly<Record<ToolName, Tool>> = {
  do_not_call: tool('Call this as soon as the person asks not to be called or texted again, in any words.', {
    channel: {
      type: 'string',
      enum: ['call', 'sms', 'both'],
      description: 'call if the person wants no more calls, sms if no more text messages, both if neither.',
    },
    words: { type: 'string', description: 'How the person asked, in exactly their words.' },
  }),
  note: tool('Stores what the person tells about themselves. Call it whenever the person tells one of these.', {
    email: { type: 'string', description: 'Email address of the person.' },
    us_state: { type: 'string', description: 'State where the person is, as two letters.' },
    note: { type: 'string', description: 'Anything else that is worth keeping, in one sentence.' },
  }),
  find_slots: tool('Finds free appointments. Call it before offering any time.', {
    from: { type: 'string', description: `The earliest start. ${TIME} Leave it out for now.` },
    to: { type: 'string', description: `The latest start. ${TIME} Leave it out if the person named none.` },
    duration_minutes: { type: 'integer', description: 'Minutes that the appointment takes. Leave it out if unknown.' },
  }),
  book_slot: tool(
    'Books an appointment that find_slots returned and the person chose. It is booked only if the answer says so.',
    {
      start_time: { type: 'string', description: 'The start_time of the chosen slot, exactly as find_slots returned it.' },
      duration_minutes: { type: 'integer', description: 'The duration_minutes of the chosen slot, if it has one.' },
      title: { type: 'string', description: 'What the appointment is about, in a few words.' },
      notes: { type: 'string', description: 'What the representative should know.' },
    },
    ['start_time'],
  ),
  report_outcome: tool(
    'Reports how the call ended. Call it once, when the conversation is over: it closes the call.',
    { outcome, summary, callback_time, message_left },
    ANALYSIS_SCHEMA.required,
  ),
}

/** A tool as it is offered to the assistants of one agent. */
export interface OfferedTool extends Tool {
  readonly name: ToolName
  /** Where the assistant's platform sends its calls. */
  readonly url: string
  /** The header `Authorization` of these requests. Null: the platform signs them. */
  readonly authorization: string | null
}

/** The tools that an assistant may have. Only the customer's own code reports the outcome itself. */
export const toolNames = (isOwnCode: boolean): readonly ToolName[] => TOOL_NAMES.filter((name) => name !== 'report_outcome' || isOwnCode)

export const toolOf = (name: string): ToolName | undefined => TOOL_NAMES.find((known) => known === name)

export const definitionOf = (name: ToolName): Tool => TOOLS[name]

/** Tools that need a calendar. */
export const CALENDAR_TOOLS: readonly ToolName[] = ['find_slots', 'book_slot']

type Report = Pick<OpenReport, 'type' | 'data'>

const channelIn = ({ channel }: Readonly<Record<string, unknown>>) => CHANNELS.find((known) => known === channel) ?? null

/** Some platforms send the placeholder of an argument that the assistant left out. */
const wordsIn = ({ words }: Readonly<Record<string, unknown>>): { readonly words?: unknown } =>
  typeof words !== 'string' || words.trim() === '' || words.startsWith('{{') ? {} : { words }

/**
 * The report that a tool makes; undefined for a tool that asks. A stop with any other channel than these ends calls and texts, as in our
 * own protocol: it must not get lost in a mistake of the assistant.
 */
export const reportOfTool = (name: ToolName, args: Readonly<Record<string, unknown>>): Report | undefined => {
  switch (name) {
    case 'do_not_call':
      return { type: 'dnc.requested', data: { channel: channelIn(args), ...wordsIn(args) } }
    case 'note':
      return { type: 'call.data_collected', data: { collected: args } }
    case 'report_outcome':
      return { type: 'call.completed', data: completionOf('completed', args) }
    default:
      return undefined
  }
}
