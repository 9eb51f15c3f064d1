import { appendFileSync, closeSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { StartFailure } from '../engines/engine.ts'

/** One event of the agent. The journal holds them in order. `at` is real time in epoch milliseconds; `key` is the idempotency key. */
const JournalRecord = v.variant('record', [
  v.object({
    record: v.literal('requested'),
    key: v.string(),
    at: v.number(),
    phone: v.string(),
    callback_url: v.string(),
    /** Destination of a transfer. */
    destination: v.string(),
    /** Whether the agent may book in the service's calendar. Missing in older journals. */
    calendar: v.optional(v.boolean(), false),
    /** The service's clock minus real time, in milliseconds. */
    offset: v.number(),
  }),
  /** The start of the appointment that the agent has chosen. */
  v.object({ record: v.literal('chosen'), key: v.string(), start_time: v.string() }),
  v.object({ record: v.literal('cancelled'), key: v.string(), at: v.number() }),
  /** The service accepted or refused this callback, as `status` shows. The agent does not send it again. */
  v.object({
    record: v.literal('acknowledged'),
    key: v.string(),
    callback: v.string(),
    // Missing in older journals.
    at: v.optional(v.number(), 0),
    status: v.optional(v.number(), 200),
  }),
])
export type JournalRecord = v.InferOutput<typeof JournalRecord>

export interface Journal {
  /** The record is written when this returns, so it survives the death of the process. Throws after `close`. */
  readonly append: (record: JournalRecord) => void
  readonly close: () => void
}

const Line = v.pipe(v.string(), v.parseJson(), JournalRecord)

/**
 * Opens the journal and passes every record to `replay`. Cuts off an incomplete last line, which a crash leaves.
 * @throws StartFailure on any other malformed line
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
      // The number of the descriptor may belong to another file by now.
      if (!open) throw new Error('The journal is closed.')
      appendFileSync(fd, `${JSON.stringify(record)}\n`)
    },
    close: () => {
      open = false
      closeSync(fd)
    },
  }
}
