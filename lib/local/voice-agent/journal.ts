import { appendFileSync, closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { StartFailure } from '../engines/start-failure.ts'

/** What happened to the agent, in order. `at` is real time in epoch milliseconds; `key` is the idempotency key. */
const JournalRecord = v.variant('record', [
  v.object({
    record: v.literal('requested'),
    key: v.string(),
    at: v.number(),
    phone: v.string(),
    callback_url: v.string(),
    /** Where a transfer would go. */
    destination: v.string(),
    /** Whether the agent may book in the service's calendar. Older journals do not say. */
    calendar: v.optional(v.boolean(), false),
    /** The service's clock minus real time, in milliseconds. */
    offset: v.number(),
  }),
  /** The start of the appointment that the agent asks for. */
  v.object({ record: v.literal('chosen'), key: v.string(), start_time: v.string() }),
  v.object({ record: v.literal('cancelled'), key: v.string(), at: v.number() }),
  /** The service has answered this callback, for good or bad by its status: it is not sent again. */
  v.object({
    record: v.literal('acknowledged'),
    key: v.string(),
    callback: v.string(),
    // Older journals do not say.
    at: v.optional(v.number(), 0),
    status: v.optional(v.number(), 200),
  }),
])
export type JournalRecord = v.InferOutput<typeof JournalRecord>

export interface Journal {
  /** Written when this returns, so that the death of the process cannot take it back. Throws after `close`. */
  readonly append: (record: JournalRecord) => void
  readonly close: () => void
}

const Line = v.pipe(v.string(), v.parseJson(), JournalRecord)

/**
 * Opens the journal, hands every record in it to `replay`, and cuts off a last line that a crash left torn. @throws StartFailure on any
 * other broken line
 */
export const openJournal = (file: string | undefined, replay: (record: JournalRecord) => void): Journal => {
  if (file === undefined) return { append: () => {}, close: () => {} }
  mkdirSync(dirname(file), { recursive: true })
  const fd = openSync(file, 'a+')
  const content = readFileSync(file)
  const whole = content.lastIndexOf('\n') + 1
  if (whole < content.length) ftruncateSync(fd, whole)
  const lines = content.toString('utf8', 0, whole).split('\n').slice(0, -1)
  for (const [index, line] of lines.entries()) {
    const parsed = v.safeParse(Line, line)
    if (!parsed.success) throw new StartFailure(`The voice agent's journal ${file} is broken in line ${index + 1}.`)
    replay(parsed.output)
  }
  let open = true
  return {
    append: (record) => {
      // The descriptor's number may be another file's by now.
      if (!open) throw new Error('The journal is closed.')
      appendFileSync(fd, `${JSON.stringify(record)}\n`)
    },
    close: () => {
      open = false
      closeSync(fd)
    },
  }
}
