import { blocksFor, REGISTRY_PARTS } from '#shared/registries/rules/block.ts'
import { BLOCKS_AT_ONCE } from '../../ops/registry/pace.ts'
import { markdownTable } from '../markdown.ts'
import { costOf } from './prices.ts'
import { count } from './quantities.ts'

/** Numbers of the example: a long list. */
const NUMBERS = 50_000_000
/** Most KB of a block when it is imported. */
const BLOCK_KB = 4
const LOOK_UP_READS = 0.5
const LOOK_UPS = 1000
/** Changes in a list of the example. At most, each of them is in another block. */
const CHANGES = 100_000

const dollars = (amount: number): string => `$${amount.toFixed(2)}`

/** The costs of a do-not-call registry. `simulate -- registry` measures the same. */
export const registryCosts = (): string[] => {
  const blocks = blocksFor(NUMBERS)
  const gigabytes = (blocks * BLOCK_KB) / 1024 ** 2
  const units = blocks * BLOCK_KB
  // The import looks after each step whether another import has removed its version. Each part of the list has steps of its own.
  const steps = REGISTRY_PARTS * Math.ceil(blocks / REGISTRY_PARTS / BLOCKS_AT_ONCE)
  return [
    '## A do-not-call registry',
    `A list of ${count(NUMBERS)} numbers is stored in ${count(blocks)} items of at most ${BLOCK_KB} KB. These are the most that each step costs:`,
    markdownTable(
      ['', 'Read units', 'Write units', 'Costs'],
      [
        ['import of the full list', count(steps), count(units), dollars(costOf({ reads: steps, writes: units }))],
        ['removal of the former list, after the import', '0', count(units), dollars(costOf({ writes: units }))],
        [
          `import of ${count(CHANGES)} changes`,
          count(CHANGES),
          count(CHANGES * BLOCK_KB),
          dollars(costOf({ reads: CHANGES, writes: CHANGES * BLOCK_KB })),
        ],
        [`${count(LOOK_UPS)} look-ups`, count(LOOK_UPS * LOOK_UP_READS), '0', `$${costOf({ reads: LOOK_UPS * LOOK_UP_READS }).toFixed(5)}`],
        [
          `a month of storage, ${gigabytes.toFixed(2)} GB, with its point-in-time recovery`,
          '',
          '',
          dollars(costOf({ storedGigabytes: gigabytes, backedUpGigabytes: gigabytes })),
        ],
      ],
    ),
    `Commands that read the whole table, such as \`check\` and \`erase --everywhere\`, read the list too: ${count(blocks)} read units more.`,
  ]
}
