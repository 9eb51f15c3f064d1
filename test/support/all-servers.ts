// Starts every server of the local service in one process, and prints their URLs as one line of JSON.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuckets } from '#lib/local/engines/buckets.ts'
import { startKeys } from '#lib/local/engines/keys.ts'
import { startQueues } from '#lib/local/engines/queues.ts'
import { startSecrets } from '#lib/local/engines/secrets.ts'
import { startEventBridge } from '#lib/local/events/bridge.ts'
import { startGateway } from '#lib/local/gateway/server.ts'
import { startVoiceAgent } from '#lib/local/voice-agent/start-voice-agent.ts'

const log = () => {}
const routes = [{ method: 'ANY', path: '/{proxy+}', functionName: 'all' }]
const api = { routes, binaryMediaTypes: [], gatewayResponses: {} }
const invoke = async () => ({ ok: true, payload: { statusCode: 200 } }) as const
const secret = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`

const buckets = await startBuckets(mkdtempSync(join(process.env['TEST_RUN_FOLDER'] ?? tmpdir(), 'buckets-')))
await buckets.createBuckets([{ name: 'uploads', pageMethods: [], notifications: [] }])
const servers = {
  buckets,
  queues: await startQueues('000000000000'),
  secrets: await startSecrets(undefined),
  keys: await startKeys(undefined),
  bridge: await startEventBridge(),
  gateway: await startGateway({ api, invoke, port: 0 }),
  agent: await startVoiceAgent({ port: 0, journalFile: undefined, serviceUrl: 'http://127.0.0.1:9', secret, log }),
}
process.stdout.write(`${JSON.stringify(Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, url])))}\n`)
