import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { registryBlockKey } from '#shared/platform/keys.ts'
import { dayOf } from '#shared/platform/values/day.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import type { Registry } from '#shared/registries/registry.ts'
import { findOnRegistries, readRegistry, readRegistryBlock } from '#shared/registries/registry-store.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { startOps } from '#test/support/ops.ts'
import { NOON } from '#test/support/samples.ts'
import { unitsOf } from '#test/support/units.ts'
import { startWorld } from '#test/support/world.ts'
import { measuredOps } from '../check/measured-ops.ts'
import { stopStream } from '../page-cost.ts'

const LIST = 'national'
const [YESTERDAY = '', TODAY = ''] = [NOON - DAY, NOON].map(dayOf)
const LOOK_UPS = 1000
const LINES_AT_ONCE = 10_000

/** MiB. Most memory of the process of an import, however long the list is. */
const MOST_MIB = 256
/** Write units of a block, which has less than 4 KB. */
const UNITS_OF_BLOCK = 4
/** Write and read units beside those of blocks and look-ups. */
const OTHER_UNITS = 20

/** Blocks whose size is looked at. */
const MOST_SEEN = 500
/** Bytes of an item in the prices of DynamoDB, besides its names and values. */
const BYTES_OF_ITEM = 100

/** Every seventh number is on the list. */
const numberAt = (at: number): string => `${2_000_000_000 + at * 7}`
const lineOf = (number: string, rest = ''): string => `${number.slice(0, 3)},${number.slice(3)}${rest}\n`

const writeLines = async (path: string, count: number, line: (at: number) => string): Promise<void> => {
  const chunks = function* () {
    for (let from = 0; from < count; from += LINES_AT_ONCE) {
      yield Array.from({ length: Math.min(LINES_AT_ONCE, count - from) }, (_, at) => line(from + at)).join('')
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path))
}

/** About the bytes that a list takes in the table: those of some blocks, times all blocks. */
const storedBytes = async (registry: Registry): Promise<number> => {
  const { list, version, blocks } = registry
  const seen = Array.from({ length: Math.min(MOST_SEEN, blocks) }, (_, at) => Math.floor((at * blocks) / Math.min(MOST_SEEN, blocks)))
  let bytes = 0
  for (const block of seen) {
    const { pk, sk } = registryBlockKey(list, version, block)
    const { hashes = new Uint8Array() } = (await readRegistryBlock(registry, block)) ?? {}
    bytes += `pk${pk}sk${sk}hashes`.length + hashes.byteLength + BYTES_OF_ITEM
  }
  return Math.round((bytes * blocks) / seen.length)
}

interface ImportCost {
  readonly import: string
  readonly numbers: number
  readonly seconds: number
  readonly 'peak MiB': number
  readonly 'read units': number
  readonly 'write units': number
}

/**
 * Imports a list twice, and then changes of a hundredth of it. Looks up numbers, of which half are on the list.
 * @returns costs and faults
 */
export const importNumbers = async (numbers: number, progress: (text: string) => void) => {
  const world = await startWorld()
  process.env['CLOCK_OFFSET_MS'] = `${NOON - Date.now()}`
  const tool = await startOps()
  const file = join(tool.directory, 'list.txt')
  const costs: ImportCost[] = []
  const faults: string[] = []
  const measure = async (name: string, lines: number, asOf: string, ...args: readonly string[]): Promise<ImportCost> => {
    const started = performance.now()
    const command = ['registry', 'import', file, '--list', LIST, '--as-of', asOf, '--json', '--data', tool.directory]
    const { code, out, mib, reads, writes } = await measuredOps([...command, ...args])
    if (code !== 0) throw new Error(`The import ended with ${code}: ${out}`)
    const seconds = Math.round((performance.now() - started) / 1000)
    const cost = { import: name, numbers: lines, seconds, 'peak MiB': mib, 'read units': reads, 'write units': writes }
    costs.push(cost)
    progress(`${JSON.stringify(cost)}\n`)
    return cost
  }
  const lookUp = async (isRight: (at: number, isListed: boolean | undefined) => boolean): Promise<number> => {
    let wrong = 0
    const { read } = await unitsOf(async () => {
      for (let look = 0; look < LOOK_UPS; look++) {
        const at = Math.floor((look * numbers) / LOOK_UPS)
        // Every second number lies beside one of the list.
        const number = `${Number(numberAt(at)) + (look % 2)}`
        const [found] = await findOnRegistries([LIST], await phoneHash(`+1${number}`))
        if (!isRight(look % 2 === 1 ? -1 : at, found?.isListed)) wrong++
      }
    })
    if (wrong > 0) faults.push(`${wrong} of ${LOOK_UPS} look-ups are wrong`)
    if (read > LOOK_UPS / 2 + OTHER_UNITS) faults.push(`${LOOK_UPS} look-ups took ${read} read units`)
    return read
  }
  try {
    await stopStream()
    await writeLines(file, numbers, (at) => lineOf(numberAt(at)))
    progress(`${numbers} numbers are in a file\n`)
    const first = await measure('full', numbers, YESTERDAY)
    const registry = await readRegistry(LIST)
    const { blocks = 0, numbers: stored } = registry ?? {}
    if (stored !== numbers) faults.push(`the list has ${stored} numbers`)
    const bytes = registry ? await storedBytes(registry) : 0
    const again = await measure('full again', numbers, YESTERDAY)
    const lookUps = await lookUp((at, isListed) => isListed === at >= 0)
    const changed = Math.ceil(numbers / 100)
    await writeLines(file, changed, (at) => lineOf(numberAt(at), `,${TODAY},D`))
    await measure('changes', changed, TODAY, '--changes', '--complete')
    await lookUp((at, isListed) => isListed === at >= changed)
    for (const [cost, units] of [
      [first, UNITS_OF_BLOCK],
      [again, 2 * UNITS_OF_BLOCK],
    ] as const) {
      const most = blocks * units + OTHER_UNITS
      if (cost['write units'] > most) faults.push(`an import (${cost.import}) took ${cost['write units']} write units, not ${most}`)
    }
    for (const cost of costs) {
      if (cost['peak MiB'] > MOST_MIB) faults.push(`an import (${cost.import}) took ${cost['peak MiB']} MiB`)
    }
    return { costs, faults, blocks, bytes, lookUps }
  } finally {
    await tool.stop()
    await world.stop()
  }
}
