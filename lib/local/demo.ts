import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { newApiKey } from '#shared/accounts/api-key-store.ts'
import type { Name } from '#shared/accounts/names.ts'
import { type DemoIngestion, demoIngestion, demoSource, demoUrls } from './demo-ingestion.ts'
import { demoLeadType, SIMULATOR, servedLeadType } from './demo-lead-types.ts'
import { CREDENTIALS, REGION, StartFailure } from './engines/engine.ts'
import { readKept, replaceFile } from './engines/kept-texts.ts'
import type { Endpoints } from './model.ts'
import { withoutAws } from './without-aws.ts'

const Served = v.object({ leadTypeId: v.number(), otherLeadTypeId: v.number() })
type Served = v.InferOutput<typeof Served>

/** Ids and keys of the demo users. The table holds only hashes of API keys, so the keys are stored here to be shown again. */
const Demo = v.object({
  apiKey: v.string(),
  otherApiKey: v.string(),
  staffApiKey: v.string(),
  userId: v.number(),
  otherUserId: v.number(),
  staffUserId: v.number(),
  leadTypeId: v.number(),
  otherLeadTypeId: v.number(),
  webhookSecret: v.string(),
  otherWebhookSecret: v.string(),
  staffWebhookSecret: v.string(),
  agentSecret: v.string(),
  /** Lead types of the two users for each agent that ever served the demo, by the agent's key. */
  served: v.optional(v.record(v.string(), Served), {}),
})
type Demo = v.InferOutput<typeof Demo>

interface DemoOptions {
  readonly endpoints: Endpoints
  readonly tableName: string
  readonly agentUrl: string
  /** Directory that keeps the keys between starts; undefined: they are not kept. */
  readonly dataDir: string | undefined
  /** Key of the agent that calls new leads; undefined: the simulator. */
  readonly agent?: string | undefined
}

/**
 * Callers of this number reach the lead type's agent. A number belongs to one lead type only, and a start that keeps nothing makes new lead
 * types. So the number follows from the id.
 */
const inboundNumberOf = (leadType: number): string => `+1415555${String(leadType % 10_000).padStart(4, '0')}`
const UNTHROTTLED = { sustained_per_day: 1e9, burst_per_minute: 1e9 }

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

const newDemo = async (nextId: () => Promise<number>): Promise<Demo> => ({
  apiKey: newApiKey(),
  otherApiKey: newApiKey(),
  staffApiKey: newApiKey(),
  userId: await nextId(),
  otherUserId: await nextId(),
  staffUserId: await nextId(),
  leadTypeId: await nextId(),
  otherLeadTypeId: await nextId(),
  webhookSecret: newSecret(),
  otherWebhookSecret: newSecret(),
  staffWebhookSecret: newSecret(),
  agentSecret: newSecret(),
  served: {},
})

/** Runs with extra environment variables, and restores the environment afterwards. Storage code expects the variables of a function. */
const withEnvironment = async <T>(variables: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> => {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  try {
    return await run()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

const loadStorage = async () => {
  const [ids, names, users, apiKeys, leadTypes, agents, ingestionUrls, sources] = await Promise.all([
    import('#shared/platform/ids/ids.ts'),
    import('#shared/accounts/names.ts'),
    import('#shared/accounts/user-store.ts'),
    import('#shared/accounts/api-key-store.ts'),
    import('#shared/accounts/lead-type-store.ts'),
    import('#shared/agents/agent-store.ts'),
    import('#shared/ingestion/ingestion-url-store.ts'),
    import('#shared/ingestion/source-store.ts'),
  ])
  return { ...ids, ...names, ...users, ...apiKeys, ...leadTypes, ...agents, ...ingestionUrls, ...sources }
}

/** `leadType`: the one that the simulator serves. `usual`: the one of leads that name none. */
const people = (demo: Demo, { leadTypeId, otherLeadTypeId }: Served = demo) => {
  const { userId: id, apiKey: key, webhookSecret: secret } = demo
  const other = { id: demo.otherUserId, key: demo.otherApiKey, secret: demo.otherWebhookSecret }
  const staff = { id: demo.staffUserId, key: demo.staffApiKey, secret: demo.staffWebhookSecret }
  return [
    { id, key, secret, name: 'Demo', leadType: demo.leadTypeId, usual: leadTypeId, is_staff: false },
    { ...other, name: 'Other', leadType: demo.otherLeadTypeId, usual: otherLeadTypeId, is_staff: false },
    { ...staff, name: 'Staff', leadType: null, usual: null, is_staff: true },
  ]
}

/** The demo users, with values that do not depend on a user. */
interface Seeded extends Demo, DemoIngestion {
  readonly inboundNumber: string
  readonly uploadSource: string
}

type Storage = Awaited<ReturnType<typeof loadStorage>>

/** @throws StartFailure when the agent was not declared before, or cannot call from this machine */
const checkDeclared = async (storage: Storage, agent: string): Promise<void> => {
  const found = await storage.readAgent(agent)
  const unable = found && withoutAws(found)
  if (unable !== undefined) throw new StartFailure(unable)
  if (found) return
  throw new StartFailure(
    `There is no agent ${agent} in this data directory. Start the service without --agent, declare the agent in a file such as\n\n` +
      `  agents:\n    - { key: ${agent}, platform: vapi, assistant: …, from: [{ number: "+1…", id: … }], api_key: "\${VAPI_KEY}" }\n\n` +
      `and apply it with: npm run ops -- apply FILE. Then start the service with --agent ${agent} again. See docs/voice-platforms.md.`,
  )
}

/** The demo with lead types for an agent. They are kept, so that leads stay with the agent for which they were created. */
const withServed = async (storage: Storage, demo: Demo, agent: string | undefined): Promise<Demo> => {
  if (agent === undefined || demo.served[agent]) return demo
  const types = { leadTypeId: await storage.nextId(), otherLeadTypeId: await storage.nextId() }
  return { ...demo, served: { ...demo.served, [agent]: types } }
}

/**
 * Leads of an agent's own lead types go to that agent only while it serves the demo, and to the simulator otherwise. All other leads of the
 * demo, whose numbers may be invented, stay with the simulator.
 */
const saveServed = async (storage: Storage, { served, userId, otherUserId }: Demo, agent: string | undefined): Promise<void> => {
  for (const [key, { leadTypeId, otherLeadTypeId }] of Object.entries(served)) {
    const calling = key === agent ? key : SIMULATOR
    await storage.saveLeadType(servedLeadType(leadTypeId, userId, key, calling))
    await storage.saveLeadType(servedLeadType(otherLeadTypeId, otherUserId, key, calling))
  }
}

/** The calendar that the simulated agent serves. */
const calendarOf = (agentUrl: string, { agentSecret }: Demo) => ({ url: `${agentUrl}/calendar`, secret: agentSecret })

const seed = async ({ agentUrl, dataDir, agent }: DemoOptions): Promise<Seeded> => {
  const storage = await loadStorage()
  const file = dataDir && join(dataDir, 'demo.json')
  // Reuse the users of the earlier start: they own the leads in the table.
  const kept = file ? await readKept(file, Demo, 'API keys') : undefined
  if (agent !== undefined) await checkDeclared(storage, agent)
  const demo = await withServed(storage, kept ?? (await newDemo(storage.nextId)), agent)
  // Write the file before the table. Otherwise a crash would leave users whose keys nobody knows.
  if (file && demo !== kept) await replaceFile(file, JSON.stringify(demo))
  await saveServed(storage, demo, agent)
  await storage.saveAgent({ id: SIMULATOR, url: agentUrl, secrets: [demo.agentSecret] })
  const served = agent === undefined ? undefined : demo.served[agent]
  for (const { id, key, name, leadType, usual, secret, is_staff } of people(demo, served)) {
    // Keep secrets that were rotated.
    const { webhook_secrets, older_secret_until, rotation } = (await storage.getUser(id)) ?? { webhook_secrets: [secret] }
    await storage.saveUser({
      id,
      name,
      is_staff,
      default_lead_type: usual,
      dnc_group: `${id}`,
      lines: 10,
      throttle: UNTHROTTLED,
      webhook_secrets,
      older_secret_until,
      rotation,
    })
    await storage.saveApiKey(key, { user: id, created_time: 0, revoked_time: null })
    if (leadType !== null) {
      const reached = { inbound_numbers: [inboundNumberOf(leadType)], calendar: calendarOf(agentUrl, demo) }
      await storage.saveLeadType({ ...demoLeadType(leadType, id), ...reached })
    }
  }
  const ingestion = demoIngestion(demo.apiKey)
  for (const url of demoUrls(ingestion, demo)) await storage.saveIngestionUrl(url)
  const source = demoSource(demo)
  await storage.saveSource(source)
  for (const name of namesOf(demo, ingestion)) await storage.giveName(name)
  const first = await storage.getUser(demo.userId)
  const webhookSecret = first?.webhook_secrets[0] ?? demo.webhookSecret
  const inboundNumber = inboundNumberOf(demo.leadTypeId)
  return { ...demo, ...served, ...ingestion, uploadSource: source.name, webhookSecret, inboundNumber }
}

/** Names for the operator's tool. */
const namesOf = (demo: Demo, { ingestId, openIngestId }: DemoIngestion): readonly Name[] => [
  { kind: 'AGENT', keys: [SIMULATOR], id: SIMULATOR },
  { kind: 'USER', keys: ['demo'], id: demo.userId },
  { kind: 'USER', keys: ['other'], id: demo.otherUserId },
  { kind: 'USER', keys: ['staff'], id: demo.staffUserId },
  { kind: 'LEADTYPE', keys: ['demo', 'campaign'], id: demo.leadTypeId },
  { kind: 'LEADTYPE', keys: ['other', 'campaign'], id: demo.otherLeadTypeId },
  { kind: 'URL', keys: ['demo', 'provider'], id: ingestId },
  { kind: 'URL', keys: ['demo', 'open'], id: openIngestId },
]

/**
 * Seeds two users, each with a lead type that the simulated agent serves, and one staff user. Later starts keep their ids and keys.
 * @throws StartFailure when the file of an earlier start cannot be read
 */
export const seedDemo = (options: DemoOptions): Promise<Seeded> =>
  withEnvironment(
    {
      TABLE_NAME: options.tableName,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: options.endpoints.dynamodb,
    },
    () => seed(options),
  )
