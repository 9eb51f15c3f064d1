import { describe, expect, it } from '@jest/globals'
import { connectAdapter } from '#shared/agents/platforms/connect/adapter.ts'
import { closedWorlds } from '#test/support/platforms/closed-worlds.ts'
import { signedAsk } from '#test/support/platforms/connect-emulator.ts'
import { connectWorld } from '#test/support/platforms/connect-world.ts'
import { listen, type Reply } from '#test/support/platforms/emulator.ts'

type World = Awaited<ReturnType<typeof connectWorld>>
const { world, worlds } = closedWorlds(connectWorld)

const TALKS = '+12125551234'
const RINGS = '+12125550006'

describe('a dial whose answer is lost', () => {
  const find = (made: World) => connectAdapter.find?.(signedAsk, made.connection, made.dialOf(TALKS))

  it('a call whose answer Amazon Connect lost is found when it is over, on any page', async () => {
    const made = await world()
    await made.call(TALKS, { callId: 'another' })
    made.emulator.dialFault = 'lost-after'
    await expect(made.call(TALKS)).rejects.toThrow()
    expect(await find(made)).toBe(made.emulator.rung[1]?.platformCallId)
  })

  it.each([
    ['goes on', 'lost-after', RINGS, 1],
    ['was never placed', 'lost-before', TALKS, 0],
  ] as const)('the search for a lost answer of Amazon Connect tells nothing certain when the call %s', async (_, fault, to, phones) => {
    const made = await world()
    made.emulator.dialFault = fault
    await expect(made.call(to)).rejects.toThrow()
    await expect(find(made)).rejects.toThrow('does not show the call')
    expect(made.emulator.rung).toHaveLength(phones)
  })

  it.each<Reply>([{ status: 500 }, { status: 403, body: {} }, { status: 200, body: '<html>' }, { status: 200, body: {} }, { status: 302 }])(
    'the search for a lost answer of Amazon Connect tells nothing certain after %j',
    async (reply) => {
      const made = await world()
      const odd = await listen(() => reply)
      worlds.push(odd)
      await expect(connectAdapter.find?.(signedAsk, { ...made.connection, api: odd.url }, made.dialOf(TALKS))).rejects.toThrow('Amazon')
    },
  )

  it('a lost answer of Amazon Connect stays lost when there are more pages than are turned', async () => {
    const made = await world()
    const odd = await listen(() => ({ status: 200, body: { Contacts: [], NextToken: 'more' } }))
    worlds.push(odd)
    await expect(connectAdapter.find?.(signedAsk, { ...made.connection, api: odd.url }, made.dialOf(TALKS))).rejects.toThrow('Amazon')
    expect(odd.seen).toHaveLength(10)
  })

  it('Amazon Connect is never asked for a call again, as the same token starts another one once the first is over', async () => {
    const made = await world()
    await made.accepted(TALKS)
    await made.accepted(TALKS)
    expect(made.emulator.rung).toHaveLength(2)
    expect(connectAdapter.repeats).toEqual({ kind: 'findable' })
  })

  it('the search for a lost answer of Amazon Connect ignores a contact with our name to another number', async () => {
    const made = await world()
    const { callId } = made.dialOf(TALKS)
    made.emulator.foreign(callId)
    await expect(connectAdapter.find?.(signedAsk, made.connection, made.dialOf(TALKS))).rejects.toThrow('does not show the call')
    const id = await made.accepted(TALKS)
    expect(await connectAdapter.find?.(signedAsk, made.connection, made.dialOf(TALKS))).toBe(id)
  })
})
