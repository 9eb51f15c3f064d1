import { describe, expect, it } from '@jest/globals'
import { handler as create } from '#functions/leads/create.ts'
import { showDue } from '#lib/ops/leads/due.ts'
import { outputTo } from '#lib/ops/output.ts'
import { HOUR } from '#shared/platform/values/durations.ts'
import { setClock } from '#test/support/clock.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { OTHER_KEY, OWNER, request } from '#test/support/world.ts'

const { tool } = opsWorld()

const lead = async (phone_number: string, timezone: string, key?: string): Promise<number> => {
  const headers = key === undefined ? {} : { Authorization: `Token ${key}` }
  const made = await request(create, { method: 'POST', path: '/api/leads/', headers, body: { phone_number, timezone } })
  expect(made.status).toBe(201)
  return made.body.id
}

describe('the due command', () => {
  it('due counts calls by user, and lists the calls of one user', async () => {
    setClock(NOON)
    await tool().apply(`users: [{ key: acme, id: ${OWNER} }]`)
    const now = await lead('+12125550001', 'America/New_York')
    // 08:00 in Honolulu is 18:00 UTC.
    const later = await lead('+12125550002', 'Pacific/Honolulu')
    await lead('+12125550003', 'America/New_York', OTHER_KEY)
    const all = JSON.parse((await tool().ops(['due', '--json'])).out)
    expect(all.owners).toMatchObject([
      { owner: OWNER, key: 'acme', name: 'User 1', due: expect.any(Number), held: 0 },
      { owner: 2, key: null, name: 'User 2', held: 0 },
    ])
    expect(all.owners[0].due + all.owners[0].overdue).toBe(1)
    const { code, out } = await tool().ops(['due', '--owner', `${OWNER}`, '--within', '3h', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out).calls).toEqual([
      expect.objectContaining({ lead: now, attempt: 1, list: 'due', phone_number: '+12125550001', reason: 'FIRST_CALL' }),
      expect.objectContaining({ lead: later, time: '2026-11-20T18:00:00.000Z' }),
    ])
    expect((await tool().ops(['due', '--owner', `${OWNER}`])).out).toMatch(
      /^OWNER +KEY +NAME +OVERDUE +DUE.+\n1 +acme +User 1 [\s\S]+\n\nTIME +LEAD +ATTEMPT/,
    )
  })

  it('due says when a list is longer than it reads', async () => {
    const said: unknown[] = []
    const output = outputTo({ environment: {}, print: (text) => said.push(JSON.parse(text)), note: (text) => said.push(text) }, true)
    await showDue(undefined, HOUR, output)
    expect(said).toEqual([expect.objectContaining({ complete: true })])
    await showDue(undefined, HOUR, output, 1)
    expect(said.slice(1)).toEqual([
      expect.stringContaining('the first 1 entry of each list were'),
      expect.objectContaining({ complete: false }),
    ])
  })

  it.each([[['due', '--owner', '99'], 1, /^There is no user 99/]])('the ops tool rejects the due command %j', async (args, code, err) => {
    expect(await tool().ops(args)).toEqual({ code, out: '', err: expect.stringMatching(err) })
  })
})
