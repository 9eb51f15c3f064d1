import { describe, expect, it, jest } from '@jest/globals'
import { updateItem } from '#shared/platform/table/table.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { bulkUpdates, taskNow } from '#test/support/bulk-updates.ts'
import { setClock } from '#test/support/clock.ts'
import { created, leadNow, newPhone, patched, phoneOf } from '#test/support/lead-requests.ts'
import { NOON } from '#test/support/samples.ts'

const { world } = callWorld()
const { accepted, work } = bulkUpdates(world)

describe('an update that changes nothing', () => {
  it.each([
    [{ status: 'CANCELLED' }, { status: 'OPEN' }],
    [{ status: 'OPEN' }, { status: 'CALLBACK_TO_TRANSFER' }],
    [{ call_dnc: true }, { call_dnc: false }],
    [{ sms_dnc: true }, { sms_dnc: false }],
    [{ lead_source: 'web' }, { lead_source: 'older' }],
    [{ metadata: { a: 1 } }, { metadata: { a: 2 } }],
  ])('an update that changes nothing still wins over an older one, and keeps modified_time: %j', async (newer, older) => {
    const { id } = await created()
    const { modified_time } = await patched(id, newer)
    await accepted([{ id, ...older }])
    setClock(NOON + 60_000)
    expect(await patched(id, newer)).toMatchObject({ ...newer, modified_time })
    await work()
    expect(await leadNow(id)).toMatchObject({ ...newer, modified_time })
  })
})

describe('a stop of a phone', () => {
  it.each([false, true])('a stop of a phone survives older updates of its other leads (already shown there: %j)', async (isShown) => {
    const { id, phone_number } = await created({ email: `a${isShown}@stop.example` })
    const other = await created({ email: `b${isShown}@stop.example`, phone_number })
    if (isShown) await patched(id, { call_dnc: true })
    await accepted([{ id: other.id, call_dnc: false }])
    await patched(id, { call_dnc: true })
    await work()
    expect(await leadNow(other.id)).toMatchObject({ call_dnc: true })
  })

  it('a stop of a phone follows the last of several queued updates of a lead', async () => {
    const { id } = await created()
    await accepted([
      { id, call_dnc: true },
      { id, call_dnc: false },
    ])
    await work()
    expect(await leadNow(id)).toMatchObject({ call_dnc: false })
    await accepted([
      { id, call_dnc: true },
      { id, call_dnc: false },
      { id, call_dnc: true },
    ])
    await work()
    expect(await leadNow(id)).toMatchObject({ call_dnc: true })
  })

  it('a stop reaches the old and the new phone when the same update changes the number', async () => {
    const { id, phone_number: old } = await created()
    const phone_number = newPhone()
    expect(await patched(id, { phone_number, call_dnc: true })).toMatchObject({ phone_number, call_dnc: true, next_call_time: null })
    for (const phone of [old, phone_number]) expect(await phoneOf(phone)).toMatchObject({ call_dnc: true, sms_dnc: false })
  })

  it('a stop reaches the new phone of an older update even if a newer one repeats the stop', async () => {
    const { id } = await created()
    const phone_number = newPhone()
    await accepted([{ id, phone_number, call_dnc: true }])
    await patched(id, { call_dnc: true })
    await work()
    expect(await leadNow(id)).toMatchObject({ phone_number, call_dnc: true })
    expect(await phoneOf(phone_number)).toMatchObject({ call_dnc: true })
  })
})

describe('metadata keys', () => {
  it.each(['größe', '', 'x'.repeat(200), '\ud800', 'a/b'])(
    'updates order metadata keys such as %j independently of others',
    async (key) => {
      const { id } = await created({ metadata: { a: 1 } })
      const [{ task_id }] = await accepted([{ id, metadata: { a: 2, [key]: 'older' } }])
      await patched(id, { metadata: { [key]: 'newer' } })
      await work()
      expect((await leadNow(id)).metadata).toMatchObject({ a: 2, [key]: 'newer' })
      expect((await taskNow(task_id)).body).toMatchObject({ status: 'applied' })
    },
  )

  it('updates order up to hundreds of metadata keys one by one; with thousands the older update fails', async () => {
    for (const [count, task, a] of [
      [500, { status: 'applied', error: null }, 2],
      [3000, { status: 'failed', error: expect.stringMatching(/^metadata: .*"a"/) }, 1],
    ] as const) {
      const { id } = await created({ metadata: { a: 1 } })
      const [{ task_id }] = await accepted([{ id, metadata: { a: 2 } }])
      await patched(id, { metadata: Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])) })
      await work()
      expect((await leadNow(id)).metadata).toMatchObject({ a })
      expect((await taskNow(task_id)).body).toMatchObject(task)
    }
  })
})

describe('an item that cannot be applied', () => {
  it('an item of a bulk update that cannot be applied fails alone in its batch', async () => {
    const [broken, sound] = [await created(), await created()]
    await updateItem(
      { pk: await phonePk('1', broken.phone_number), sk: 'PHONE' },
      { UpdateExpression: 'SET call_dnc = :text', ExpressionAttributeValues: { ':text': 'not a boolean' } },
    )
    const results = await accepted([
      { id: broken.id, status: 'LOST' },
      { id: sound.id, status: 'LOST' },
    ])
    expect(results).toEqual([
      { id: null, action: 'error', error: 'The lead could not be updated. Please send it again.' },
      { id: sound.id, action: 'queued', task_id: expect.any(String) },
    ])
    expect(await leadNow(sound.id)).toMatchObject({ status: 'LOST' })
  })

  it('an item of a bulk update fails when the request takes too long, while queueable ones are still accepted', async () => {
    const { id } = await created()
    let time = 0
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 26_000))
    const results = await accepted([
      { id, status: 'LOST' },
      { id, lead_source: 'web' },
    ])
    clock.mockRestore()
    expect(results).toEqual([
      { id: null, action: 'error', error: 'The lead could not be updated. Please send it again.' },
      { id, action: 'queued', task_id: expect.any(String) },
    ])
    expect(await leadNow(id)).toMatchObject({ status: 'OPEN' })
  })
})
