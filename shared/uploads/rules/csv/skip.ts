import type { ByteWindow } from './byte-window.ts'
import { EXCERPT_BYTES, excerpt } from './text.ts'

/** Lines that are skipped. */

/** The beginning of the line. */
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

/** Skips to the next line, or MOST_BYTES, without keeping the bytes. It stops at the same place, however the stream is chunked. */
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
