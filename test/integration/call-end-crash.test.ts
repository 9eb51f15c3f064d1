import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { closeBreaker } from '#shared/agents/breaker-store.ts'
import { getCall } from '#shared/calling/call-store.ts'
import { getLead } from '#shared/leads/lead-store.ts'
import { SECOND } from '#shared/platform/values/durations.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { stopContacting } from '#shared/stops/stop.ts'
import { agentCalls, callWorld, hasLine } from '#test/support/agent-calls.ts'
import { setClock } from '#test/support/clock.ts'
import { dieAfter } from '#test/support/die-after.ts'
import { created, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import type { ReceiverAnswer } from '#test/support/receiver.ts'
import { NOON, sampleLeadType } from '#test/support/samples.ts'
import { beforeEachSend } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const MINUTE = 60 * SECOND
const NUMBER = '+12125550190'
const ACCEPT: ReceiverAnswer = { body: '{"provider_call_id":"p-1"}' }

let answer = ACCEPT
const { world, inCall, tell, place, queued } = callWorld(() => answer)
const { ring } = agentCalls(world)

beforeEach(async () => {
  answer = ACCEPT
  await closeBreaker('simulator', NOON)
})

const sweep = async (instant: number): Promise<void> => {
  setClock(instant)
  await dispatchDue()
  await place((await queued()).filter(({ type }) => type === 'watch'))
}

interface Begun {
  readonly call: string
  readonly phone: string
  /** `end` ends the call at the instant `at`. */
  readonly at: number
  readonly end: () => Promise<unknown>
}

/** A call that is answered, and that the sweep need not look at for two hours. */
const inConversation = async () => {
  const begun = await inCall()
  await tell(begun.call, 'call.answered')
  await sweep(NOON + 30 * SECOND)
  return begun
}

const AT = NOON + 5 * MINUTE

const ENDS: Record<string, () => Promise<Begun>> = {
  'the end of a call': async () => {
    const { call, phone } = await inConversation()
    return { call, phone, at: AT, end: () => tell(call, 'call.ended', {}, 300) }
  },
  'the completion of a call': async () => {
    const { call, phone } = await inConversation()
    return { call, phone, at: AT, end: () => tell(call, 'call.completed', { outcome: 'no_answer', collected: { a: 1 } }, 300) }
  },
  'the end of an inbound call': async () => {
    await saveLeadType(sampleLeadType({ id: 6, owner: OWNER, inbound_numbers: [NUMBER] }))
    const phone = newPhone()
    const { body } = await ring(phone, NUMBER)
    await sweep(NOON + 30 * SECOND)
    return { call: body.call_id, phone, at: AT, end: () => tell(body.call_id, 'call.ended', {}, 300) }
  },
  'the refusal of a call': async () => {
    const { id, phone_number } = await created()
    answer = { status: 422 }
    const messages = await queued()
    return { call: `${id}-1`, phone: phone_number, at: NOON + SECOND, end: () => place(messages) }
  },
  'the silence of an agent': async () => {
    const { call, phone } = await inCall()
    return { call, phone, at: NOON + 11 * MINUTE, end: () => place([{ type: 'watch', call_id: call }]) }
  },
}

const isOver = async (id: string): Promise<boolean> => {
  const call = await getCall(id)
  const ends = [call?.ended_time, call?.completed_time, call?.refused_time, call?.unknown_time]
  return ends.some((end) => typeof end === 'number')
}

describe('a crash after the end of a call is recorded', () => {
  it.each(Object.keys(ENDS))('a crash after %s is recorded blocks the phone and the line for at most a minute', async (name) => {
    const tried: number[] = []
    for (let writes = 1; ; writes++) {
      setClock(NOON)
      answer = ACCEPT
      await closeBreaker('simulator', NOON)
      const { call, phone, at, end } = await ENDS[name]!()
      setClock(at)
      const isDead = await dieAfter(writes, end)
      await queued()
      if (isDead && (await isOver(call))) {
        tried.push(writes)
        await sweep(at + MINUTE)
        const { call_id = call } = (await getCall(call)) ?? {}
        expect({ writes, ...(await phoneOf(phone)) }).toMatchObject({ current_call: null })
        expect({ writes, hasLine: await hasLine(call_id) }).toEqual({ writes, hasLine: false })
      }
      if (!isDead) break
    }
    expect(tried.length).toBeGreaterThan(0)
  })

  it('the sweep frees the line of a call of unknown fate and plans the next one after a crash', async () => {
    let tried = 0
    for (let writes = 1; ; writes++) {
      setClock(NOON)
      await closeBreaker('simulator', NOON)
      answer = { status: 500 }
      const { id } = await created()
      const [message] = await queued()
      await place([message])
      setClock(NOON + 40 * SECOND)
      const isDead = await dieAfter(writes, () => place([message]))
      if (isDead && (await isOver(`${id}-1`))) {
        tried++
        await sweep(NOON + 100 * SECOND)
        expect(await hasLine(`${id}-1`)).toBe(false)
        expect(await getLead(id)).toMatchObject({ next_call_time: expect.any(Number) })
      }
      if (!isDead) break
    }
    expect(tried).toBeGreaterThan(0)
  })
})

describe('a crash while a stopped call is given up', () => {
  it('a crash while an unconfirmed call is given up for a stop does not lose its cancel, no matter which write it follows', async () => {
    for (let writes = 0; ; writes++) {
      setClock(NOON)
      await closeBreaker('simulator', NOON)
      answer = { status: 500 }
      const { id, phone_number } = await created()
      const call = `${id}-1`
      const [message] = await queued()
      await place([message])
      await stopContacting(OWNER, phone_number, await phonePk('1', phone_number), ['call'], { means: 'api' })
      // The message of the stop may be lost.
      await queued()
      answer = ACCEPT
      setClock(NOON + 11 * SECOND)
      const isDead = await dieAfter(writes, () => place([message]))
      setClock(NOON + 22 * SECOND)
      await place([message])
      expect(await world().queues.delayed('CALL_QUEUE_URL')).toBeGreaterThan(0)
      await world().queues.renew('CALL_QUEUE_URL')
      await place([{ type: 'cancel', call_id: call }])
      const cancelled = world().agent.requests.filter(({ path, body }) => path === '/cancel' && JSON.parse(body).call_id === call)
      expect({ writes, cancels: cancelled.length }).toEqual({ writes, cancels: 1 })
      if (!isDead) break
    }
  })
})

describe('a crash during the report of a stop', () => {
  it('a crash during the report of a stop leaves the phone stopped, no matter which write it follows', async () => {
    for (let writes = 1; ; writes++) {
      setClock(NOON)
      const { call, phone } = await inConversation()
      const isDead = await dieAfter(writes, () => tell(call, 'dnc.requested', { channel: 'call' }))
      const isNoted = (await getCall(call))?.call_stopped !== null
      expect({ writes, isNoted, stopped: (await phoneOf(phone)).call_dnc }).toEqual({ writes, isNoted, stopped: true })
      if (!isDead) break
    }
  })
})

describe('a crash during the report of a completion', () => {
  it('a crash during the report of a completion never loses the collected data of a completed call', async () => {
    for (let writes = 1; ; writes++) {
      setClock(NOON)
      const { call, lead } = await inConversation()
      const isDead = await dieAfter(writes, () => tell(call, 'call.completed', { outcome: 'completed', collected: { colour: 'red' } }))
      if ((await getCall(call))?.completed_time !== null) expect((await getLead(lead))?.metadata).toMatchObject({ colour: 'red' })
      if (!isDead) break
    }
  })
})

describe('a sweep that looks at a call while its end is recorded', () => {
  it('a sweep that reads a call while its end is recorded does not postpone the next look at the call', async () => {
    const { call, phone } = await inCall()
    setClock(NOON + MINUTE)
    let isTold = false
    // The look has read the call; its end comes before the look writes, and dies.
    await beforeEachSend(
      async (command) => {
        if (isTold || !(command instanceof UpdateCommand)) return
        isTold = true
        await dieAfter(1, () => tell(call, 'call.ended', {}, 60))
      },
      () => place([{ type: 'watch', call_id: call }]),
    )
    expect(await isOver(call)).toBe(true)
    await queued()
    await sweep(NOON + 2 * MINUTE)
    expect(await phoneOf(phone)).toMatchObject({ current_call: null })
  })
})
