import { describe, expect, it } from '@jest/globals'
import type { Adapter } from '#shared/agents/platforms/adapter.ts'
import { ADAPTERS } from '#shared/agents/platforms/adapters.ts'
import { openAdapter } from '#shared/agents/platforms/open/adapter.ts'
import { vapiAdapter } from '#shared/agents/platforms/vapi/adapter.ts'
import { duringSuite } from '#test/support/during-suite.ts'
import { startCallWorld } from './platforms/call-world.ts'
import { faultsOfPlayed } from './platforms/findings.ts'
import { type Course, callPlayer } from './platforms/play-calls.ts'
import { playForgetful } from './platforms/play-open.ts'
import { playVapi } from './platforms/play-vapi.ts'
import type { PlayedPlatform } from './platforms/played-platform.ts'
import { damaged, type RoundDefect } from './torture/rounds/defects.ts'

const world = duringSuite(startCallWorld, (started) => started.stop())
const player = duringSuite(
  async () => callPlayer(world()),
  async () => undefined,
)

const FORGETFUL: Adapter = { ...openAdapter, repeats: { kind: 'neither' } }

describe('planted defects', () => {
  it.each<[RoundDefect, PlayedPlatform, Adapter, Course, RegExp]>([
    ['findable-again', playVapi, vapiAdapter, 'answer lost', /2 phones rang for one attempt/],
    ['neither-again', playForgetful, FORGETFUL, 'answer lost', /2 phones rang for one attempt/],
    ['no-poll', playVapi, vapiAdapter, 'callbacks lost', /the call has no outcome of ours/],
    ['no-look-up', playVapi, vapiAdapter, 'answer and callbacks lost', /the call has no outcome of ours/],
  ])('the platforms simulation finds the planted defect %s', async (defect, platform, adapter, course, fault) => {
    const faultsWith = async (name: string, used: Adapter) => {
      Object.assign(ADAPTERS, { [name]: used })
      return faultsOfPlayed([await player()({ ...platform, name }, platform.typical, course)])
    }
    expect(await faultsWith('sound', adapter)).toEqual([])
    expect(await faultsWith('damaged', damaged(adapter, defect))).toContainEqual(expect.stringMatching(fault))
  })
})
