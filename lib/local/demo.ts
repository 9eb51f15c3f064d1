import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { newApiKey } from '#shared/accounts/api-key-store.ts'
import type { Name } from '#shared/accounts/names.ts'
import { type DemoIngestion, demoIngestion, demoSource, demoUrls } from './demo-ingestion.ts'
import { CREDENTIALS, REGION } from './engines/engine.ts'
import { readKept, replaceFile } from './engines/kept-texts.ts'
import type { Endpoints } from './model.ts'

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
})
type Demo = v.InferOutput<typeof Demo>

interface DemoOptions {
  readonly endpoints: Endpoints
  readonly tableName: string
  readonly agentUrl: string
  /** Directory that keeps the keys between starts; undefined: they are not kept. */
  readonly dataDir: string | undefined
}

const AGENT = 'simulator'

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

const people = (demo: Demo) => [
  { id: demo.userId, key: demo.apiKey, name: 'Demo', leadType: demo.leadTypeId, secret: demo.webhookSecret, is_staff: false },
  {
    id: demo.otherUserId,
    key: demo.otherApiKey,
    name: 'Other',
    leadType: demo.otherLeadTypeId,
    secret: demo.otherWebhookSecret,
    is_staff: false,
  },
  { id: demo.staffUserId, key: demo.staffApiKey, name: 'Staff', leadType: null, secret: demo.staffWebhookSecret, is_staff: true },
]

/** The demo users, with values that do not depend on a user. */
interface Seeded extends Demo, DemoIngestion {
  readonly inboundNumber: string
  readonly uploadSource: string
}

/** The calendar that the simulated agent serves. */
const calendarOf = (agentUrl: string, { agentSecret }: Demo) => ({ url: `${agentUrl}/calendar`, secret: agentSecret })

const seed = async ({ agentUrl, dataDir }: DemoOptions): Promise<Seeded> => {
  const storage = await loadStorage()
  const file = dataDir && join(dataDir, 'demo.json')
  // Reuse the users of the earlier start: they own the leads in the table.
  const kept = file ? await readKept(file, Demo, 'API keys') : undefined
  const demo = kept ?? (await newDemo(storage.nextId))
  // Write the file before the table. Otherwise a crash would leave users whose keys nobody knows.
  if (file && !kept) await replaceFile(file, JSON.stringify(demo))
  await storage.saveAgent({ id: AGENT, url: agentUrl, secrets: [demo.agentSecret] })
  for (const { id, key, name, leadType, secret, is_staff } of people(demo)) {
    // Keep secrets that were rotated.
    const { webhook_secrets, older_secret_until, rotation } = (await storage.getUser(id)) ?? { webhook_secrets: [secret] }
    await storage.saveUser({
      id,
      name,
      is_staff,
      default_lead_type: leadType,
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
  return { ...demo, ...ingestion, uploadSource: source.name, webhookSecret, inboundNumber: inboundNumberOf(demo.leadTypeId) }
}

/** Names for the operator's tool. */
const namesOf = (demo: Demo, { ingestId, openIngestId }: DemoIngestion): readonly Name[] => [
  { kind: 'AGENT', keys: [AGENT], id: AGENT },
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

const FIELDS = [
  { key: 'first_name', label: 'First name', helpText: 'How the agent addresses the person.', type: 'string', required: false },
  { key: 'last_name', label: 'Last name', helpText: '', type: 'string', required: false },
  { key: 'timezone', label: 'Time zone', helpText: 'Where the person is, for example America/New_York.', type: 'string', required: false },
]

const demoLeadType = (id: number, owner: number) => ({
  id,
  owner,
  name: 'Demo campaign',
  active: true,
  agent: AGENT,
  international: false,
  script: 'Greet the person and ask whether now is a good time to talk.',
  lead_metadata_fields: FIELDS,
  cadence: { delays: [1800, 7200, 14400, 86400], delays_by_outcome: {}, max_attempts: 8, transfer_unavailable_delay: 1800 },
  reengagement: { enabled: true, min_days: 30, match: 'phone_and_email' as const },
  transfer: { mode: 'warm' as const, destinations: ['+12125550199'], hold_limit_seconds: 180 },
  escalation: null,
})
