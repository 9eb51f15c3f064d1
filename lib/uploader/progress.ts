import { MOST_REMEMBERED } from '#shared/leads/rules/remembered.ts'
import { callLines } from './call-lines.ts'
import type { Shown } from './service.ts'

const COUNTS = ['created', 'updated', 'unchanged', 'rejected'] as const

const secondsOf = ({ created_time, finished_time }: Shown): string =>
  finished_time === null ? '' : ` in ${((Date.parse(finished_time) - Date.parse(created_time)) / 1000).toFixed(1)} s`

/** Further parts of the report. */
interface Extras {
  /** Lines about the rows of a dry run. */
  readonly rows?: readonly string[]
  /** The file to which the CSV report was saved. */
  readonly savedTo?: string | undefined
}

const LINK = '(the link is valid for one hour)'

/** Where the CSV report is. */
const whereReport = ({ dry_run, rows, rejected, rejected_url, report_url }: Shown, { savedTo }: Extras): string[] => {
  const what = dry_run
    ? 'All rows, with line, result, lead, column, value and message'
    : 'The rejected rows, with line, column, value and message'
  const url = report_url ?? rejected_url
  if (savedTo !== undefined && url !== null) return ['', `${what}: ${savedTo}`]
  if (url !== null) return ['', `${what} ${LINK}:`, '', `  ${url}`]
  if (dry_run) return rows > 0 ? ['', 'There is no report of the dry run.'] : []
  return rejected > 0 ? ['', 'There is no list of the rejected rows.'] : []
}

const FORGOTTEN = `A dry run remembers the last ${MOST_REMEMBERED.toLocaleString('en-US')} leads of the file. A row that repeats an earlier person counts as if the person were new to the file.`

/** Lines about rows that were accepted but may surprise. */
const warningLines = ({ warnings = {}, warning_lines = {} }: Shown): string[] => {
  const where = (code: string, count: number): string => {
    const lines = warning_lines[code] ?? []
    return lines.length === 0 ? '' : `, ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${lines.length < count ? ', …' : ''}`
  }
  const all = Object.entries(warnings).map(([code, count]) => `  ${code}: ${count.toLocaleString('en-US')}${where(code, count)}`)
  return all.length === 0 ? [] : ['', 'Rows with a warning (see "Warnings" in docs/reference/outcomes.md):', ...all]
}

/** The result of an upload, for people. */
export const report = (upload: Shown, extras: Extras = {}): string => {
  const { filename, source, upload_id, dry_run, status, rows, reengaged, error } = upload
  const done = `${dry_run ? 'dry run ' : ''}done${secondsOf(upload)}${dry_run ? ', no lead was written' : ''}`
  const cells = [...COUNTS.map((name) => [name, upload[name]] as const), ['rows', rows] as const].map(
    ([name, count]) => [name, count.toLocaleString('en-US')] as const,
  )
  const width = Math.max(...cells.map(([, count]) => count.length))
  const table = cells.map(([name, count]) => {
    const note = name === 'updated' && reengaged > 0 ? `  (${reengaged.toLocaleString('en-US')} of them reengaged)` : ''
    return `  ${name.padEnd(10)}${count.padStart(width)}${note}`
  })
  return [
    '',
    `${filename} to ${source}: ${status === 'failed' ? 'failed' : done} (upload ${upload_id})`,
    ...(error === null ? [] : ['', error]),
    ...(status === 'failed' && rows === 0 ? [] : ['', ...table]),
    ...(status === 'done' && rows === 0 ? ['', 'The file has a header, but no rows.'] : []),
    ...callLines(upload),
    ...warningLines(upload),
    ...(extras.rows && extras.rows.length > 0 ? ['', ...extras.rows] : []),
    ...(dry_run && rows > MOST_REMEMBERED ? ['', FORGOTTEN] : []),
    ...whereReport(upload, extras),
    '',
  ].join('\n')
}

const BAR_WIDTH = 24
const UNITS = ['B', 'kB', 'MB', 'GB']

const inUnits = (bytes: number): string => {
  let value = bytes
  let unit = 0
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000
  return `${value.toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`
}

const bar = (share: number): string => {
  const full = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`
}

/** Progress of sending, `milliseconds` after its beginning. */
export const sendingLine = (sent: number, size: number, milliseconds: number): string => {
  const share = size === 0 ? 1 : sent / size
  const speed = milliseconds > 0 ? `, ${inUnits((sent * 1000) / milliseconds)}/s` : ''
  return `Sending ${bar(share)} ${Math.floor(share * 100)} % of ${inUnits(size)}${speed}`
}

/** Progress of processing. */
export const processingLine = ({ status, rows, rejected, rate }: Shown): string => {
  if (status === 'waiting') return 'Sent. It will be processed in a moment.'
  const speed = rate === null ? '' : `, ${Math.round(rate).toLocaleString('en-US')} a second`
  return `${status === 'processing' ? 'Processing' : 'Processed'}: ${rows.toLocaleString('en-US')} rows${speed}, ${rejected.toLocaleString('en-US')} rejected`
}

/** Output for people. */
export interface Terminal {
  readonly isTTY: boolean
  write(text: string): void
}

/** Milliseconds between lines when the output is not a terminal. */
const PLAIN_PAUSE = 5_000

/** A line that changes in place. Where that is impossible, it prints a line now and then. */
export class UploadProgress {
  readonly #terminal: Terminal
  readonly #clock: () => number
  #shown = ''
  #at: number

  constructor(terminal: Terminal, clock: () => number) {
    this.#terminal = terminal
    this.#clock = clock
    this.#at = clock()
  }

  /** Whether the cursor is in a line: further output would be appended to it, or overwrite it. */
  get isInLine(): boolean {
    return this.#terminal.isTTY && this.#shown !== ''
  }

  show(line: string): void {
    const at = this.#clock()
    if (line === this.#shown || (!this.#terminal.isTTY && at - this.#at < PLAIN_PAUSE)) return
    this.#terminal.write(this.#terminal.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
    this.#shown = line
    this.#at = at
  }

  /** The last line of its kind: it is always shown. */
  end(line: string): void {
    this.#terminal.write(this.#terminal.isTTY ? `\r\x1b[K${line}\n` : `${line}\n`)
    this.#shown = ''
    this.#at = this.#clock()
  }
}
