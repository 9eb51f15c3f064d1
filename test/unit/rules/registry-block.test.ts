import { createHmac } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { blocksFor, hasHash, hashesIn, packHashes, placeOnList, REGISTRY_PARTS, unpackHashes } from '#shared/registries/rules/block.ts'

const hashOf = (number: number): Buffer => createHmac('sha256', 'a-key').update(`+1${number}`).digest()

/** A registry as an import stores it. */
const registryOf = (numbers: Iterable<number>, blocks: number): ReadonlyMap<number, Uint8Array> => {
  const stored = new Map<number, number[]>()
  for (const number of numbers) {
    const place = placeOnList(hashOf(number), blocks)
    stored.set(place.block, [...(stored.get(place.block) ?? []), place.stored])
  }
  return new Map([...stored].map(([block, hashes]) => [block, packHashes(hashes)]))
}

const has = (registry: ReadonlyMap<number, Uint8Array>, number: number, blocks: number): boolean => {
  const { block, stored } = placeOnList(hashOf(number), blocks)
  return hasHash(registry.get(block) ?? new Uint8Array(), stored)
}

const PhoneNumber = fc.integer({ min: 2_000_000_000, max: 2_000_000_400 })

describe('the blocks of a registry', () => {
  it('a look-up finds exactly the numbers of the list, whatever they are and however many blocks there are', () => {
    fc.assert(
      fc.property(
        fc.array(PhoneNumber, { maxLength: 300 }),
        fc.array(PhoneNumber, { maxLength: 300 }),
        fc.integer({ min: 1, max: 5 }),
        (listed, asked, times) => {
          const registry = registryOf(listed, times * REGISTRY_PARTS)
          const list = new Set(listed)
          for (const number of [...listed, ...asked]) expect(has(registry, number, times * REGISTRY_PARTS)).toBe(list.has(number))
        },
      ),
    )
  })

  it('a block has each hash once, in ascending order, and keeps them all', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 48 - 1 })), (hashes) => {
        const packed = packHashes(hashes)
        const kept = [...unpackHashes(packed)]
        expect(kept).toEqual([...new Set(hashes)].toSorted((one, other) => one - other))
        expect(hashesIn(packed)).toBe(kept.length)
      }),
    )
  })

  it('the hash of a number names one of the blocks, and its first byte names the part of the list', () => {
    const blocks = blocksFor(50_000_000)
    const numbers = Array.from({ length: 1000 }, (_, at) => 2_125_550_000 + at)
    const places = numbers.map((number) => ({ hash: hashOf(number), place: placeOnList(hashOf(number), blocks) }))
    for (const { hash, place } of places) expect(Math.floor(place.block / (blocks / REGISTRY_PARTS))).toBe(hash[0])
  })

  it('a list of 50,000,000 numbers has about 100,000 blocks of 500 hashes, and a short list one block for each part', () => {
    expect(blocksFor(50_000_000)).toBe(100_096)
    expect(blocksFor(0)).toBe(REGISTRY_PARTS)
    expect(blocksFor(128_000)).toBe(REGISTRY_PARTS)
    expect(blocksFor(128_001)).toBe(2 * REGISTRY_PARTS)
  })
})
