import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { startTorture, type Torture } from './torture/run.ts'

let data = ''
let torture: Torture | undefined

afterAll(async () => {
  await torture?.stop()
  if (data) await rm(data, { recursive: true, force: true })
})

/** The short form of `npm run simulate -- torture`. */
it('the service loses nothing and calls nobody twice, even when it is killed often', async () => {
  data = await mkdtemp(join(tmpdir(), 'torture-'))
  const lines: string[] = []
  torture = startTorture({ kills: 8, restarts: 2, leads: 24, seed: 1, settlingSeconds: 840, isPatient: false }, data, (line) =>
    lines.push(line),
  )
  const { faults } = await torture.report
  expect({ faults, lines }).toEqual({ faults: [], lines })
  expect(lines).toContainEqual(expect.stringContaining('hottest key'))
})
