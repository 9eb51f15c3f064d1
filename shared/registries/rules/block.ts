/**
 * A registry is stored in blocks of hashes. The first four bytes of a number's hash select the block, and the next six are stored. Two
 * numbers collide if they are in one block and these six bytes are equal. In a block of 500 hashes, one look-up in 560 billion finds a number
 * that is not on the list. That call is refused. If a list of changes deletes one of two such numbers, the other one goes too.
 */

/** The first byte of a hash names its part of the list. Each part has the same number of blocks. */
export const REGISTRY_PARTS = 256

/** Hashes of a block on average: with them, an item stays below 4 KB, while the list grows by a third. */
const HASHES_OF_BLOCK = 500

/** Bytes of a stored hash. */
const STORED = 6

/** Bytes at the beginning of a hash that decide where a list has the number: those that select the block, and those in `STORED`. */
export const HASH_BYTES = 4 + STORED

export const blocksFor = (numbers: number): number => REGISTRY_PARTS * Math.max(1, Math.ceil(numbers / REGISTRY_PARTS / HASHES_OF_BLOCK))

interface RegistryPlace {
  /** Number of the block, from 0. */
  readonly block: number
  /** What the block stores. */
  readonly stored: number
}

/** Where a list with this many blocks has a number. @param hash its first `HASH_BYTES` bytes, or more */
export const placeOnList = (hash: Buffer, blocks: number): RegistryPlace => ({
  block: Math.floor((hash.readUInt32BE(0) * blocks) / 2 ** 32),
  stored: hash.readUIntBE(4, STORED),
})

/** The hashes of a block, in ascending order, each once. */
export const packHashes = (stored: Iterable<number>): Buffer => {
  const sorted = Float64Array.from(new Set(stored)).sort()
  const packed = Buffer.allocUnsafe(sorted.length * STORED)
  for (const [at, value] of sorted.entries()) packed.writeUIntBE(value, at * STORED, STORED)
  return packed
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

export const hashesIn = (packed: Uint8Array): number => packed.byteLength / STORED

export const unpackHashes = (packed: Uint8Array): Set<number> => {
  const bytes = bufferOf(packed)
  return new Set(Array.from({ length: hashesIn(packed) }, (_, at) => bytes.readUIntBE(at * STORED, STORED)))
}

export const hasHash = (packed: Uint8Array, stored: number): boolean => {
  const bytes = bufferOf(packed)
  let [from, until] = [0, hashesIn(packed)]
  while (from < until) {
    const middle = (from + until) >>> 1
    const found = bytes.readUIntBE(middle * STORED, STORED)
    if (found === stored) return true
    if (found < stored) from = middle + 1
    else until = middle
  }
  return false
}
