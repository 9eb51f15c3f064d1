import type { Cell } from './scan.ts'

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const WINDOWS_1252 = new TextDecoder('windows-1252')

/** Decodes UTF-8, or else Windows-1252, in which every sequence of bytes is text. */
const decode = (bytes: Uint8Array): string => {
  try {
    return UTF_8.decode(bytes)
  } catch {
    return WINDOWS_1252.decode(bytes)
  }
}

export const cellText = (bytes: Uint8Array, { start, end, quoted }: Cell): string => {
  const text = decode(bytes.subarray(start, end))
  return quoted ? text.replaceAll('""', '"') : text
}

/** Bytes. The part of an unreadable row that is shown. */
export const EXCERPT_BYTES = 100

/** The first bytes of a text, cut between two characters. */
export const excerpt = (bytes: Uint8Array): string => {
  let end = Math.min(bytes.length, EXCERPT_BYTES)
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return decode(bytes.subarray(0, end)).trimEnd()
}
