import { type CountedItems, differencesIn } from '#test/support/counted-items.ts'
import { runApart } from '../run-apart.ts'

const SCRIPT = new URL('count-process.ts', import.meta.url)

const sum = (numbers: Readonly<Record<string, number>>): number => Object.values(numbers).reduce((total, number) => total + number, 0)

/**
 * Compares the statistics of all owners with a count over all leads and calls. In a process of its own, because modules find the table in
 * the environment.
 */
export const statisticsFaults = async (data: string): Promise<{ readonly faults: readonly string[]; readonly line: string }> => {
  const counted: CountedItems = JSON.parse(await runApart(SCRIPT, data))
  const { expected, stored } = counted
  return {
    faults: differencesIn(counted).map((difference) => `statistics: ${difference}`),
    line: `statistics: ${Object.keys(stored).length} numbers with a sum of ${sum(stored)}; a count over all items has ${Object.keys(expected).length} with ${sum(expected)}`,
  }
}
