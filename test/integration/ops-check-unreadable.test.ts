import { expect, it } from '@jest/globals'
import * as keys from '#shared/platform/keys.ts'
import { deleteItem, putItem } from '#shared/platform/table/table.ts'
import { opsWorld } from '#test/support/ops-world.ts'

const { tool } = opsWorld()

const check = async () => {
  const { code, out } = await tool().ops(['check', '--json', '--again-after', '0'])
  const findings: { kind: string; where: string; message: string }[] = JSON.parse(out).findings
  return { code, locations: findings.map(({ kind, where }) => `${kind} ${where}`), messages: findings.map(({ message }) => message) }
}

const OWNER = 990009

/** By the name of each thing that check reads: its key. */
const MALFORMED: Readonly<Record<string, keys.Key>> = {
  statistics: keys.leadCountsKey(OWNER, { leadType: 4, source: 'web/partner' }),
  stop: { pk: `PHONE#${OWNER}#hash`, sk: `${keys.STOP_RECORD_PREFIX}1` },
  'registry-block': keys.registryBlockKey('national', 'v1', 0),
  'lead type': keys.leadTypeKey(OWNER, 1),
  subscription: keys.subscriptionKey(OWNER, 1),
  source: keys.sourceKey(OWNER, 'daily'),
  'ingestion URL': keys.ingestionUrlKey('none'),
  'voice agent': keys.agentKey('voice-malformed'),
  registry: keys.registryHeadKey('national'),
}

it('check finds malformed statistics, stops, registries and configuration, and names each with its key', async () => {
  expect(await check()).toMatchObject({ code: 0, locations: [] })
  for (const key of Object.values(MALFORMED)) await putItem({ ...key, counts: 'many' })
  const { code, locations, messages } = await check()
  expect(code).toBe(1)
  expect(locations.toSorted()).toEqual(
    Object.values(MALFORMED)
      .map(({ pk, sk }) => `unreadable ${pk}/${sk}`)
      .toSorted(),
  )
  for (const [thing, { pk, sk }] of Object.entries(MALFORMED)) {
    expect(messages).toContainEqual(expect.stringContaining(`The ${thing} ${pk}/${sk} cannot be read (`))
  }
  for (const key of Object.values(MALFORMED)) await deleteItem(key)
})
