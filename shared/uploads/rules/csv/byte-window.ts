import { EXCERPT_BYTES, excerpt } from './text.ts'

/** A window over a stream of bytes. It grows when more bytes are needed, and drops bytes that were read. */
export class ByteWindow {
  readonly #stream: AsyncIterator<Uint8Array>
  bytes: Uint8Array = new Uint8Array()
  /** Index of the first unread byte. */
  at = 0
  /** Nothing comes after `bytes`. */
  isWhole = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]()
  }

  get unread(): number {
    return this.bytes.length - this.at
  }

  /** At least doubles the unread bytes. A caller that scans them again each time then reads each byte twice on average. */
  async grow(): Promise<void> {
    const parts = [this.bytes.subarray(this.at)]
    for (let wanted = Math.max(this.unread, 1); wanted > 0 && !this.isWhole; ) {
      const { done, value } = await this.#stream.next()
      if (done) this.isWhole = true
      else {
        parts.push(value)
        wanted -= value.length
      }
    }
    this.bytes = Buffer.concat(parts)
    this.at = 0
  }

  /** Closes the stream, even before its end. */
  async close(): Promise<void> {
    await this.#stream.return?.()
  }
}

/** The beginning of a line that is skipped. */
export const lineStart = async (window: ByteWindow, newline: string): Promise<string> => {
  while (window.unread <= EXCERPT_BYTES && !window.isWhole) await window.grow()
  return (excerpt(window.bytes.subarray(window.at)).split(newline)[0] ?? '').trimEnd()
}

/** Bytes. The most that is skipped at once: the line may be all of the file. */
const MOST_BYTES = 1024 * 1024

export interface Skipped {
  readonly bytes: number
  /** Whether the line has ended. */
  readonly isOver: boolean
}

/** Skips to the next line, or MOST_BYTES, without keeping the bytes. It stops at the same byte, however the stream is chunked. */
export const skipLine = async (window: ByteWindow, newline: number): Promise<Skipped> => {
  for (let bytes = 0; ; ) {
    const some = window.bytes.subarray(window.at, window.at + MOST_BYTES - bytes)
    const end = some.indexOf(newline) + 1
    const skipped = end || some.length
    bytes += skipped
    window.at += skipped
    if (end > 0 || bytes === MOST_BYTES) return { bytes, isOver: end > 0 }
    if (window.isWhole) return { bytes, isOver: true }
    await window.grow()
  }
}
