/** Lets secret scanners recognize a key. */
const PREFIX = 'lok_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

const SHAPE = new RegExp(`^${PREFIX}(?<random>[${DIGITS}]{${RANDOM_LENGTH}})(?<checksum>[${DIGITS}]{${CHECKSUM_LENGTH}})$`)

/** CRC-32 of an ASCII text, as in zip files and PNG images. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const inBase62 = (value: number): string => (value < 62 ? '' : inBase62(Math.floor(value / 62))) + DIGITS.charAt(value % 62)

/** Six base-62 digits hold any 32 bits. GitHub's tokens use the same format. */
const checksumOf = (random: string): string => inBase62(crc32(random)).padStart(CHECKSUM_LENGTH, '0')

/** A key of 190 random bits. `draw(below)` returns a uniform integer from 0 to `below` - 1. */
export const apiKeyFrom = (draw: (below: number) => number): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS.charAt(draw(DIGITS.length))).join('')
  return `${PREFIX}${random}${checksumOf(random)}`
}

/** Whether a key may exist. A key with the prefix must have a valid checksum. Older keys have no prefix and no checksum. */
export const isWellFormedKey = (text: string): boolean => {
  if (!text.startsWith(PREFIX)) return true
  const { random = '', checksum } = SHAPE.exec(text)?.groups ?? {}
  return checksum === checksumOf(random)
}
