import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { CREDENTIALS, REGION } from './engines/access.ts'
import type { Endpoints } from './model.ts'

/** What the demonstration's users need to know. API keys are stored hashed, so that they are kept here to be shown again. */
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
  /** Where the keys are kept from start to start; undefined: nowhere. */
  readonly dataDir: string | undefined
}

const AGENT = 'simulator'

const newKey = (): string => randomBytes(20).toString('hex')
const newSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

const newDemo = async (nextId: () => Promise<number>): Promise<Demo> => ({
  apiKey: newKey(),
  otherApiKey: newKey(),
  staffApiKey: newKey(),
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

const kept = async (file: string): Promise<Demo | undefined> => {
  try {
    return v.parse(Demo, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}

/** The storage operations read the environment as they do in a function. */
const openStorage = async ({ endpoints, tableName }: DemoOptions) => {
  Object.assign(process.env, {
    TABLE_NAME: tableName,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  })
  const [ids, users, apiKeys, leadTypes, agents] = await Promise.all([
    import('#shared/storage/ids.ts'),
    import('#shared/storage/users.ts'),
    import('#shared/storage/api-keys.ts'),
    import('#shared/storage/lead-types.ts'),
    import('#shared/storage/agents.ts'),
  ])
  return { ...ids, ...users, ...apiKeys, ...leadTypes, ...agents }
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

/** Two users, each with a lead type that the simulated agent calls for, and one of the staff: made once, and the same ever after. */
export const seedDemo = async (options: DemoOptions): Promise<Demo> => {
  const storage = await openStorage(options)
  const file = options.dataDir && join(options.dataDir, 'demo.json')
  const demo = (file && (await kept(file))) || (await newDemo(storage.nextId))
  await storage.saveAgent({ id: AGENT, url: options.agentUrl, secrets: [demo.agentSecret] })
  for (const { id, key, name, leadType, secret, is_staff } of people(demo)) {
    await storage.saveUser({ id, name, is_staff, default_lead_type: leadType, dnc_group: `${id}`, lines: 10, webhook_secrets: [secret] })
    await storage.saveApiKey(key, { user: id, is_staff, created_time: 0, revoked_time: null })
    if (leadType !== null) await storage.saveLeadType(demoLeadType(leadType, id))
  }
  if (file) await writeFile(file, JSON.stringify(demo), { mode: 0o600 })
  return demo
}

const FIELDS = [
  { key: 'first_name', label: 'First name', helpText: 'How the agent addresses the person.', type: 'string', required: false },
  { key: 'last_name', label: 'Last name', helpText: '', type: 'string', required: false },
  { key: 'timezone', label: 'Time zone', helpText: 'Where the person is, as America/New_York.', type: 'string', required: false },
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
  transfer: { mode: 'warm', destinations: ['+12125550199'], hold_limit_seconds: 180 },
  escalation: null,
})
