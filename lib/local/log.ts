import * as v from 'valibot'

interface LogOptions {
  /** Whether to show every line, as it is. Otherwise only warnings and errors, each as one line for people. */
  readonly isVerbose: boolean
  /** The difference between the service's clock and the machine's, in milliseconds. */
  readonly offsetMs: number
  /** The service's clock, in epoch milliseconds. */
  readonly now: () => number
  readonly write: (line: string) => void
}

/** A line of a function's logger. It has the time of the machine. */
const Entry = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ level: v.string(), message: v.string(), timestamp: v.pipe(v.string(), v.isoTimestamp()) }),
)
type LogEntry = v.InferOutput<typeof Entry>

const PROBLEMS = new Set(['WARN', 'ERROR', 'CRITICAL'])

/** Fields of every line that say nothing about the problem. */
const COMMON = new Set(['level', 'message', 'timestamp', 'service', 'sampling_rate', 'function', 'request_id', 'error', 'xray_trace_id'])

/** The engine tells of its start and its end. */
const isSmallTalk = (line: string): boolean => line.startsWith('dynamodb: ') && !/error|warn|fail|panic/i.test(line)

const Failure = v.object({ name: v.string(), message: v.string() })

const forPeople = (time: string, entry: LogEntry): string => {
  const fields = Object.fromEntries(Object.entries(entry).filter(([name]) => !COMMON.has(name)))
  const failure = v.safeParse(Failure, entry['error'])
  const parts = [
    entry.message,
    ...(failure.success ? [`${failure.output.name}: ${failure.output.message}`] : []),
    ...(Object.keys(fields).length > 0 ? [JSON.stringify(fields)] : []),
    ...(typeof entry['function'] === 'string' ? [`(${entry['function']})`] : []),
  ]
  return `${time} ${entry.level} ${parts.join(' ')}`
}

/** The service's log. All times are those of the service's clock, which `--now` sets. */
export const serviceLog = ({ isVerbose, offsetMs, now, write }: LogOptions): ((line: string) => void) => {
  return (line) => {
    const read = v.safeParse(Entry, line)
    if (!read.success) {
      // Metrics are JSON too, without a message.
      if (isVerbose || !(isSmallTalk(line) || line.startsWith('{'))) write(line.startsWith('{') ? line : `${isoOf(now())} ${line}`)
      return
    }
    const time = isoOf(Date.parse(read.output.timestamp) + offsetMs)
    if (isVerbose) write(line.replace(`"timestamp":"${read.output.timestamp}"`, `"timestamp":"${time}"`))
    else if (PROBLEMS.has(read.output.level)) write(forPeople(time, read.output))
  }
}

const isoOf = (at: number): string => new Date(at).toISOString()
