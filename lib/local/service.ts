import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadyReport } from './banner.ts'
import { seedDemo } from './demo.ts'
import { takeDataDirectory, takeTemporaryDirectory } from './engines/data-directory.ts'
import { LOOPBACK, StartFailure } from './engines/engine.ts'
import { type Engines, startEngines } from './engines/start-engines.ts'
import { createTables } from './engines/tables.ts'
import { startEventSources } from './events/start-event-sources.ts'
import { withLocalEnvironment } from './functions/environment.ts'
import { startFunctions } from './functions/start-functions.ts'
import { INTEGRATION_LIMIT_MS, startGateway } from './gateway/server.ts'
import { createSignIn } from './gateway/sign-in.ts'
import { keepLatestTime } from './latest-time.ts'
import { serviceLog } from './log.ts'
import type { Endpoints, ServiceTemplate } from './model.ts'
import { writeOperatorFile } from './operator-file.ts'
import type { LocalOptions } from './options.ts'
import { reservePort, reserveSamePort } from './processes/ports.ts'
import { Shutdown } from './processes/shutdown.ts'
import { TIME_LIMIT_FACTOR } from './sandbox-limits.ts'
import { givenAssembly, synthesise } from './synthesise.ts'
import { readServiceTemplate } from './template/read.ts'
import { startVoiceAgent } from './voice-agent/start-voice-agent.ts'

/** The service's clock: real time plus a fixed offset in milliseconds. */
export interface ServiceClock {
  readonly offsetMs: number
  /** Now, in epoch milliseconds. */
  now(): number
}

/** A clock that starts now at `startsAt` (epoch milliseconds); real time when undefined. */
const startClock = (startsAt: number | undefined, real: () => number = Date.now): ServiceClock => {
  const offsetMs = startsAt === undefined ? 0 : startsAt - real()
  return { offsetMs, now: () => real() + offsetMs }
}

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Prints a line. */
  readonly write: (line: string) => void
}

export interface LocalService {
  /** @throws StartFailure with a sentence for its user */
  start(): Promise<ReadyReport>
  /** Stops everything that was started. Aborts a start in progress. */
  stop(): Promise<void>
  /** Resolves to the reason when the service cannot continue. */
  readonly broken: Promise<string>
}

/** Where a browser that opens the service's address ends up. */
const DOCS_PAGE = '/api/docs/'

/** Milliseconds to wait for an aborted start before its parts are stopped. */
const BREAK_OFF_LIMIT_MS = 10_000

/** The deployed service on this machine: the same template and bundles, on local engines. */
export const createLocalService = (options: LocalOptions, { environment, write }: Surroundings): LocalService => {
  const shutdown = new Shutdown()
  const broken = Promise.withResolvers<string>()
  const clock = startClock(options.now)
  const log = serviceLog({ isVerbose: options.verbose, offsetMs: clock.offsetMs, now: clock.now, write })
  let starting: Promise<unknown> = Promise.resolve()

  const start = async (): Promise<ReadyReport> => {
    const durable = options.dataDirectory !== undefined
    const home = await (durable ? takeDataDirectory(options.dataDirectory) : takeTemporaryDirectory())
    shutdown.add(home.release)
    const kept = (name: string) => (durable ? join(home.path, name) : undefined)
    const latestTime = durable ? keepLatestTime(join(home.path, 'latest-time'), clock.now) : undefined
    shutdown.add(() => latestTime?.stop())
    const apiPort = await reservePort(options.port)
    shutdown.add(apiPort.release)
    shutdown.check()

    const [engines, assembly] = await Promise.all([
      startEngines({ directory: home.path, durable, environment, shutdown, log }),
      options.assembly === undefined
        ? synthesise(home.path, { check: () => shutdown.check(), progress: write }).then((built) => built.assembly)
        : givenAssembly(options.assembly),
    ])
    shutdown.check()
    void engines.dynamodb.ended.then(() => {
      if (!shutdown.begun) broken.resolve('The DynamoDB engine has ended, so the service stops.')
    })
    const endpoints = endpointsOf(engines, `http://${LOOPBACK}:${apiPort.port}`)
    const template = readServiceTemplate(assembly, endpoints)
    await createResources(engines, template)

    const logLevel = environment['POWERTOOLS_LOG_LEVEL'] ?? 'INFO'
    const nodeOptions = environment['FUNCTION_NODE_OPTIONS'] ?? ''
    const surroundings = { endpoints, clockOffsetMs: clock.offsetMs, logLevel, nodeOptions, platformUrl: options.publicUrl ?? '' }
    const local = template.functions.map((spec) => withLocalEnvironment(spec, surroundings))
    const patience = options.timeLimits ? 1 : TIME_LIMIT_FACTOR
    const functions = await startFunctions(local, {
      log,
      warm: inOrderOfUse(template),
      pidFile: kept('functions.pid'),
      patience,
      background: inBackground(template),
    })
    shutdown.add(functions.stop)
    shutdown.check()

    // The seed needs the agent's address, and the agent needs the secret from the seed. So reserve the agent's port first.
    // Calls of an earlier start are repeated and cancelled at the address that placed them, so the port stays the same.
    const agentPort = await reserveSamePort(kept('voice-agent.port'))
    const agentUrl = `http://${LOOPBACK}:${agentPort.port}`
    const dataDir = durable ? home.path : undefined
    const seeding = { endpoints, tableName: tableOf(template), agentUrl, dataDir, agent: options.agent }
    const { agentSecret, ...demo } = await seedDemo(seeding)
    shutdown.check()

    const signIn = createSignIn(demo.apiKey)
    await apiPort.release()
    const gateway = await startGateway({
      api: template.api,
      invoke: functions.invoke,
      port: apiPort.port,
      landing: DOCS_PAGE,
      beside: signIn.answer,
      publicUrl: options.publicUrl,
      clock: clock.now,
      integrationTimeoutMs: INTEGRATION_LIMIT_MS * patience,
      warn: log,
    })
    shutdown.add(gateway.close)
    await agentPort.release()
    const agent = await startVoiceAgent({
      port: agentPort.port,
      journalFile: kept('voice-agent.journal'),
      serviceUrl: gateway.url,
      secret: agentSecret,
      log,
    })
    shutdown.add(agent.close)
    const sources = await startEventSources({
      template,
      endpoints,
      bridge: engines.bridge,
      onObjectEvent: engines.buckets.onObjectEvent,
      invoke: functions.invoke,
      clock: clock.now,
      checkpointFile: kept('stream.json'),
      twice: options.twice,
      log,
    })
    shutdown.add(sources.stop)
    await functions.warmed
    const operatorFile = await writeOperatorFile(home.path, gateway.url, local, template.operator)
    shutdown.add(operatorFile.remove)
    const consoleUrl = `${gateway.url}/console/#code=${signIn.code}`
    const addresses = { url: gateway.url, consoleUrl, agentUrl, operatorFile: operatorFile.path }
    return { ...addresses, ...demo, functionsPid: functions.pid(), warning: latestTime?.warning }
  }

  return {
    start: () => {
      const started = start()
      starting = started.catch(() => {})
      return started
    },
    stop: async () => {
      shutdown.begin()
      await Promise.race([starting, pause(BREAK_OFF_LIMIT_MS, undefined, { ref: false })])
      await shutdown.run()
    },
    broken: broken.promise,
  }
}

const tableOf = ({ tables: [table] }: ServiceTemplate): string => {
  if (table === undefined) throw new StartFailure('The app has no table for users and leads.')
  return table.name
}

const endpointsOf = (engines: Engines, api: string): Endpoints => ({
  dynamodb: engines.dynamodb.url,
  sqs: engines.queues.url,
  s3: engines.buckets.url,
  eventbridge: engines.bridge.url,
  secretsManager: engines.secrets.url,
  kms: engines.keys.url,
  api,
})

const createResources = async (engines: Engines, template: ServiceTemplate): Promise<void> => {
  await Promise.all([
    createTables(engines.dynamodb.url, template.tables),
    engines.queues.createQueues(template.queues),
    engines.buckets.createBuckets(template.buckets),
    engines.secrets.createSecrets(template.secrets),
    engines.keys.createKeys(template.keys),
  ])
}

/** Names of functions that no route calls. */
const inBackground = ({ api, functions }: ServiceTemplate): string[] => {
  const asked = new Set(api.routes.map(({ functionName }) => functionName))
  return functions.flatMap(({ name }) => (asked.has(name) ? [] : [name]))
}

/** Names of functions in the order that a lead meets them: API first, then queues and stream. */
const inOrderOfUse = ({ api, eventSources }: ServiceTemplate): string[] => [
  ...new Set([...api.routes, ...eventSources].map((user) => user.functionName)),
]
