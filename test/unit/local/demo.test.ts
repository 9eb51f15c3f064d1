import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals'
import { seedDemo } from '#lib/local/demo.ts'
import { StartFailure } from '#lib/local/engines/engine.ts'
import { getLeadType, leadTypesOf } from '#shared/accounts/lead-type-store.ts'
import { readUser } from '#shared/accounts/user-store.ts'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { getInboundNumber } from '#shared/agents/inbound-number-store.ts'
import { getSource } from '#shared/ingestion/source-store.ts'
import { endpointsOf } from '#test/support/event-template.ts'
import { suiteTable } from '#test/support/suite-world.ts'

const engine = suiteTable()
let dataDir = ''

beforeEach(() => {
  if (dataDir) rmSync(dataDir, { recursive: true })
  dataDir = mkdtempSync(join(tmpdir(), 'demo-'))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

const file = () => join(dataDir, 'demo.json')
const seedIn = (directory: string | undefined, agent?: string) =>
  seedDemo({
    agent,
    endpoints: endpointsOf({ dynamodb: engine().url }),
    tableName: engine().tableName,
    agentUrl: 'http://127.0.0.1:1',
    dataDir: directory,
  })
const seed = () => seedIn(dataDir)

/** Not from a cache. */
const leadTypeOf = async (owner: number, id: number) => (await leadTypesOf(owner)).find((type) => type.id === id)
const agentOf = async (owner: number, id: number) => (await leadTypeOf(owner, id))?.agent

describe('the demo users', () => {
  it('the demo users are created once and then stay the same', async () => {
    const first = await seed()
    const written = statSync(file()).mtimeMs
    expect(await seed()).toEqual(first)
    expect(statSync(file()).mtimeMs).toBe(written)
    expect(readdirSync(dataDir)).toEqual(['demo.json'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('the demo users are new on each start when there is no data directory', async () => {
    expect((await seedIn(undefined)).apiKey).not.toBe((await seedIn(undefined)).apiKey)
    expect(existsSync(file())).toBe(false)
  })

  it('the demo users have keys with a known prefix, and keep older keys', async () => {
    const { apiKey, otherApiKey, staffApiKey } = await seed()
    for (const key of [apiKey, otherApiKey, staffApiKey]) expect(key).toMatch(/^lok_[0-9A-Za-z]{38}$/)
    const older = '0123456789abcdef0123456789abcdef01234567'
    writeFileSync(file(), readFileSync(file(), 'utf8').replace(apiKey, older))
    expect(await seed()).toMatchObject({ apiKey: older, otherApiKey, staffApiKey })
  })

  it('a demo user has a lead type with an inbound number and a calendar', async () => {
    const { leadTypeId, userId, inboundNumber, agentSecret, otherLeadTypeId, otherUserId, uploadSource } = await seed()
    process.env['TABLE_NAME'] = engine().tableName
    expect(await getSource(userId, uploadSource)).toMatchObject({ lead_type: leadTypeId, mode: 'upsert', lookup_column: 'Lead ID' })
    expect(await getInboundNumber(inboundNumber)).toEqual({ owner: userId, lead_type: leadTypeId })
    const calendar = { url: 'http://127.0.0.1:1/calendar', secret: agentSecret, representative_field: 'representative' }
    expect(await getLeadType(userId, leadTypeId)).toMatchObject({ inbound_numbers: [inboundNumber], calendar })
    expect((await getLeadType(otherUserId, otherLeadTypeId))?.inbound_numbers).not.toContain(inboundNumber)
  })

  it('the demo users are served by a declared agent, and leave earlier leads with the simulator', async () => {
    const simulated = await seed()
    process.env['TABLE_NAME'] = engine().tableName
    await saveAgent({ id: 'voice', url: 'http://127.0.0.1:2', secrets: [] })
    const real = await seedIn(dataDir, 'voice')
    const { userId, leadTypeId: earlier } = simulated
    expect(real).toMatchObject({ userId, apiKey: simulated.apiKey })
    expect(real.leadTypeId).not.toBe(earlier)
    expect(await readUser(userId)).toMatchObject({ default_lead_type: real.leadTypeId })
    expect(await agentOf(userId, real.leadTypeId)).toBe('voice')
    expect(await agentOf(userId, earlier)).toBe('simulator')
    expect(await getSource(userId, real.uploadSource)).toMatchObject({ lead_type: earlier })
    // Lead types name no invented number that could be dialled.
    expect(await leadTypeOf(userId, real.leadTypeId)).toMatchObject({ transfer: null, inbound_numbers: [] })

    expect(await seed()).toEqual({ ...simulated, served: real.served })
    expect(await readUser(userId)).toMatchObject({ default_lead_type: earlier })
    expect(await agentOf(userId, real.leadTypeId)).toBe('simulator')

    expect(await seedIn(dataDir, 'voice')).toEqual(real)
    expect(await agentOf(userId, real.leadTypeId)).toBe('voice')
  })

  it('the demo users are not served by an agent that was never declared, and the error says how to declare it', async () => {
    await expect(seedIn(dataDir, 'nobody')).rejects.toThrow(/There is no agent nobody in this data directory\..*apply FILE/s)
    expect(existsSync(file())).toBe(false)
  })

  it.each([
    ['torn', '{"apiKey":"a'],
    ['of another shape', '{}'],
    ['empty', ''],
  ])('the demo users are not replaced when their file is %s', async (_, text) => {
    writeFileSync(file(), text)
    await expect(seed()).rejects.toThrow(
      new StartFailure(`The API keys in ${file()} cannot be read: put a copy of the file back, or name another directory with --data.`),
    )
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })

  it('making the demo users leaves the environment unchanged', async () => {
    process.env['TABLE_NAME'] = 'before'
    delete process.env['AWS_REGION']
    try {
      await seed()
      expect(process.env['TABLE_NAME']).toBe('before')
      expect(process.env['AWS_REGION']).toBeUndefined()
    } finally {
      Object.assign(process.env, { TABLE_NAME: engine().tableName, AWS_REGION: 'us-east-1' })
    }
  })
})
