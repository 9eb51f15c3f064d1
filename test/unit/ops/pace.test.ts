import { expect, it } from '@jest/globals'
import { inPacedSteps } from '#lib/ops/registry/pace.ts'

it('blocks of a registry are written 200 at a time, each once, with a look at the pace after each time', async () => {
  const done: (number | 'pace')[] = []
  const written: number[] = []
  const blocks = Array.from({ length: 450 }, (_, block) => block)
  const write = async (some: readonly number[]): Promise<void> => {
    done.push(some.length)
    written.push(...some)
  }
  await inPacedSteps(blocks, async () => void done.push('pace'), write)
  expect(done).toEqual([200, 'pace', 200, 'pace', 50, 'pace'])
  expect(written).toEqual(blocks)
})
