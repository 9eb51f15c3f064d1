import * as v from 'valibot'
import type { Agent } from '../accounts/configuration.ts'
import type { Call } from '../calling/call.ts'
import { applyLateReport, applyReport } from '../calling/take-report.ts'
import type { ErasedCall } from '../erasure/erased-call-store.ts'
import { choiceField } from '../http/fields/choice.ts'
import { dateTimeField } from '../http/fields/date-time.ts'
import { Dictionary, fieldErrors, fields } from '../http/fields/field.ts'
import { logger } from '../platform/logger.ts'
import { type FieldErrors, invalid, ServiceError } from '../platform/values/errors.ts'
import { BookSlot, FindSlots } from './api/calendar.ts'
import { CallReport } from './api/call-report.ts'
import { isUnfilled } from './api/tool-request.ts'
import { bookAppointment, findAppointments } from './appointments.ts'
import { SPOKEN_OUTCOMES } from './platforms/analysis.ts'
import { reportOfTool, type ToolName, toolNames, toolOf } from './platforms/tools.ts'
import { isOwnCode, type ToolAnswer, type ToolCall } from './voice-agent.ts'

const done = (message: string, more: Partial<ToolAnswer> = {}): ToolAnswer => ({ ok: true, message, ...more })
const failed = (message: string): ToolAnswer => ({ ok: false, message })

/** Platforms cut long answers, and nobody listens to a longer list of times. */
const MOST_SLOTS = 20

type Arguments = Readonly<Record<string, unknown>>

/** Drops blank arguments: language models and templates send blank text for a value that they do not know. */
const known = (args: Arguments): Arguments =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null && !(typeof value === 'string' && isUnfilled(value))))

/** @throws ServiceError `validation` */
const read = <S extends v.GenericSchema>(schema: S, args: unknown): v.InferOutput<S> => {
  const { success, output, issues } = v.safeParse(schema, args)
  if (!success) throw invalid(fieldErrors(issues))
  return output
}

const Outcome = v.pipe(Dictionary, fields({ outcome: choiceField(SPOKEN_OUTCOMES), callback_time: v.nullish(dateTimeField(), null) }))

/** The report that a tool call amounts to, in the form in which an agent of our own protocol would send it. */
const reportOf = (call: Pick<Call, 'call_id'>, name: ToolName, { time }: ToolCall, args: Arguments): CallReport | undefined => {
  const report = reportOfTool(name, args)
  if (!report) return undefined
  if (report.type === 'call.completed') read(Outcome, args)
  return read(CallReport, { ...report, time, call_id: call.call_id })
}

const STOPPED = {
  call: 'Recorded: the person is not called again.',
  sms: 'Recorded: the person gets no more text messages.',
  both: 'Recorded: the person is not called again, and gets no more text messages.',
} as const

const take = async (call: Call, name: ToolName, report: CallReport, text: string): Promise<ToolAnswer> => {
  const updated = await applyReport(call, report, text)
  if (report.type === 'dnc.requested') return done(STOPPED[report.data.channel ?? 'both'])
  if (report.type !== 'call.completed' || updated?.reported_outcome === report.data.outcome) return done('Recorded.')
  logger.info('A tool reported an outcome that came too late.', { call: call.call_id, tool: name })
  return failed(`The call had the outcome ${updated?.reported_outcome ?? 'unknown'} before, and it stays.`)
}

const asked = async (call: Call, name: ToolName, args: Arguments): Promise<ToolAnswer> => {
  const about = { ...args, call_id: call.call_id }
  if (name === 'find_slots') {
    const slots = (await findAppointments(call, read(FindSlots, about))).slice(0, MOST_SLOTS)
    return slots.length === 0
      ? done('No appointment is free in this time. Ask the person for another time.', { slots })
      : done('These times are free. Offer two or three of them, and book the one that the person takes with book_slot.', { slots })
  }
  const { appointment } = await bookAppointment(call, read(BookSlot, about))
  return done('The appointment is booked.', { appointment })
}

const sentenceOf = (errors: FieldErrors): string =>
  Object.entries(errors)
    .map(([field, messages]) => (field === 'non_field_errors' ? messages.join(' ') : `${field}: ${messages.join(' ')}`))
    .join(' ')

/** Advice for the model about an error. */
const adviceOn = (name: ToolName, { code, message, fields: errors }: ServiceError): string => {
  if (code === 'validation') return `Nothing was done. Correct the arguments and try again. ${sentenceOf(errors)}`
  if (code === 'not_found') return 'There is no calendar for this call. Offer no appointment.'
  if (code === 'conflict') return message === 'The slot is taken.' ? `${message} Offer another one.` : message
  if (name === 'book_slot')
    return 'The calendar did not confirm, so promise nothing. Try the same start_time once more, or say that somebody gets in touch.'
  return 'The calendar did not answer. Try once more, or offer no appointment.'
}

/** Turns a ServiceError into advice. @throws every other error, so that the platform tries again */
const orAdvice = async (name: ToolName, run: () => Promise<ToolAnswer>): Promise<ToolAnswer> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ServiceError) return failed(adviceOn(name, error))
    throw error
  }
}

/** The tool's name, or a refusal if the agent has no such tool. */
const toolFor = (agent: Agent, { name }: ToolCall): ToolName | ToolAnswer => {
  const names = toolNames(isOwnCode(agent))
  const tool = toolOf(name)
  return tool && names.includes(tool) ? tool : failed(`There is no tool ${name.slice(0, 100)}. The tools are ${names.join(', ')}.`)
}

/**
 * Runs a tool that the assistant of a call has called. A repeated tool call has no further effect.
 * @param text the platform's request body; the same body again is a repeat
 */
export const answerTool = async (agent: Agent, call: Call | ErasedCall, asking: ToolCall, text: string): Promise<ToolAnswer> => {
  const name = toolFor(agent, asking)
  if (typeof name !== 'string') {
    logger.warn('An assistant called a tool that does not exist.', { call: call.call_id, tool: asking.name.slice(0, 100) })
    return name
  }
  const args = asking.args ?? {}
  if (asking.args === null && name !== 'do_not_call') return failed('Nothing was done: the arguments must be a JSON object.')
  return orAdvice(name, async () => {
    const given = known(args)
    if (name === 'note' && Object.keys(given).length === 0) return failed('Nothing was noted: give at least one argument.')
    const report = reportOf(call, name, asking, given)
    if ('erased_time' in call) {
      if (!report || report.type === 'call.data_collected')
        return failed('The data of this person was erased. Say goodbye and end the call.')
      await applyLateReport(call, report)
      return done('Recorded.')
    }
    return report ? take(call, name, report, text) : asked(call, name, given)
  })
}
