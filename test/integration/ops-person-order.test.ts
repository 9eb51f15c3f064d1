import { BatchGetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from '@jest/globals'
import { insertSms } from '#shared/events/sms-store.ts'
import { created } from '#test/support/lead-requests.ts'
import { opsWorld } from '#test/support/ops-world.ts'
import { NOON } from '#test/support/samples.ts'
import { withAnswers } from '#test/support/table-sends.ts'
import { OWNER } from '#test/support/world.ts'

const { tool } = opsWorld({ withBucket: true })

/** While `run` runs, the table gives items in the opposite order. */
const reversed = <T>(run: () => Promise<T>): Promise<T> =>
  withAnswers(async (command, send) => {
    const answer = (await send()) as { Items?: unknown[]; Responses?: Record<string, unknown[]> }
    if (command instanceof ScanCommand) answer.Items?.reverse()
    if (command instanceof BatchGetCommand) for (const items of Object.values(answer.Responses ?? {})) items.reverse()
    return answer
  }, run)

it.each([[], ['--everywhere']])('an export lists everything in one order, however the table gives it: %s', async (...options) => {
  const { id: lead, phone_number } = await created()
  const text = {
    lead,
    owner: OWNER,
    call_id: `${lead}-1`,
    phone_number,
    direction: 'inbound',
    body: 'Hi',
    status: null,
    time: NOON,
  } as const
  for (const sms_id of ['b', 'a', 'd', 'c']) await insertSms({ sms_id, ...text })
  const exported = async () => JSON.parse((await tool().ops(['export', phone_number, ...options])).out)
  const document = await exported()
  expect(document.text_messages.map(({ sms_id }: { sms_id: string }) => sms_id)).toEqual(['a', 'b', 'c', 'd'])
  expect(await reversed(exported)).toEqual(document)
})
