import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { torture } from './torture/run.ts'

/** The short form of `npm run torture`. */
it('loses nothing and calls nobody twice, however often it is killed', async () => {
  const data = await mkdtemp(join(tmpdir(), 'torture-'))
  const lines: string[] = []
  try {
    const { faults } = await torture({ kills: 8, restarts: 2, leads: 24, seed: 1 }, data, (line) => lines.push(line))
    expect({ faults, lines }).toEqual({ faults: [], lines })
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}, 420_000)
