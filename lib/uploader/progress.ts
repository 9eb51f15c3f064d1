import type { Shown } from './service.ts'

const COUNTS = ['created', 'updated', 'unchanged', 'rejected'] as const

const secondsOf = ({ created_time, finished_time }: Shown): string =>
  finished_time === null ? '' : ` in ${((Date.parse(finished_time) - Date.parse(created_time)) / 1000).toFixed(1)} s`

/** The result of an upload, for people. */
export const report = (upload: Shown): string => {
  const { filename, source, upload_id, status, rows, reengaged, rejected, error, rejected_url } = upload
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
    `${filename} to ${source}: ${status === 'failed' ? 'failed' : `done${secondsOf(upload)}`} (upload ${upload_id})`,
    ...(error === null ? [] : ['', error]),
    ...(status === 'failed' && rows === 0 ? [] : ['', ...table]),
    ...(rejected_url === null
      ? []
      : ['', 'The rejected rows, with line, column, value and message (the link is valid for one hour):', '', `  ${rejected_url}`]),
    ...(rejected_url === null && rejected > 0 ? ['', 'There is no list of the rejected rows.'] : []),
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
