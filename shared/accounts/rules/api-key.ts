/** Tells secret scanners what they have found. */
const PREFIX = 'lok_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

const SHAPE = new RegExp(`^${PREFIX}(?<random>[${DIGITS}]{${RANDOM_LENGTH}})(?<checksum>[${DIGITS}]{${CHECKSUM_LENGTH}})$`)

/** CRC-32 of an ASCII text, as zip files and PNG images have it. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const inBase62 = (value: number): string => (value < 62 ? '' : inBase62(Math.floor(value / 62))) + DIGITS.charAt(value % 62)

/** Six digits of base 62 hold any 32 bits, as GitHub writes them in its tokens. */
const checksumOf = (random: string): string => inBase62(crc32(random)).padStart(CHECKSUM_LENGTH, '0')

/** A key of 190 random bits. `draw` gives an integer from 0 on, below the one that it is asked for, each as likely as the others. */
export const apiKeyFrom = (draw: (below: number) => number): string => {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS.charAt(draw(DIGITS.length))).join('')
  return `${PREFIX}${random}${checksumOf(random)}`
}

/** Whether somebody may have been given this key: one with the prefix holds its checksum; older ones have neither, and may be anything. */
export const isWellFormedKey = (text: string): boolean => {
  if (!text.startsWith(PREFIX)) return true
  const { random = '', checksum } = SHAPE.exec(text)?.groups ?? {}
  return checksum === checksumOf(random)
}
