import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import * as v from 'valibot'
import { bundleName } from '#lib/constructs/bundle.ts'
import { readServiceTemplate } from '#lib/local/template/read.ts'
import { CallingStack } from '#lib/stacks/calling-stack.ts'
import { DataStack } from '#lib/stacks/data-stack.ts'
import { endpointsOf } from '#test/support/event-template.ts'
import cdkJson from '../../../cdk.json' with { type: 'json' }

/** Settings of the call queue, its consumer and the sweep, read from the stacks. */
export interface Deployment {
  readonly batchSize: number
  readonly maxConcurrency: number
  readonly visibilitySeconds: number
  readonly maxReceives: number
  readonly placeCallTimeoutSeconds: number
  readonly sweepTimeoutSeconds: number
  /** Memory of `place-call` or of the sweep, whichever is smaller. */
  readonly memoryMb: number
}

const Redrive = v.pipe(v.string(), v.parseJson(), v.object({ maxReceiveCount: v.number() }))

const found = <T>(thing: T | undefined, name: string): T => {
  if (thing === undefined) throw new Error(`The templates have no ${name}.`)
  return thing
}

const FUNCTIONS = ['workers/place-call', 'workers/dispatch-due'] as const

/** Synthesises the stacks that place calls, with empty bundles. */
const synthesise = (folder: string): string => {
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, bundleName(name)))
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), `export const handler = async () => '${name}'\n`)
  }
  const app = new App({ analyticsReporting: false, context: { ...cdkJson.context, bundles: folder }, outdir: join(folder, 'out') })
  const data = new DataStack(app, 'Data', { stackName: 'data' })
  new CallingStack(app, 'Calling', { stackName: 'calling', data, baseUrl: 'https://leads.example.com' })
  return app.synth({ skipValidation: true }).directory
}

export const readDeployment = (): Deployment => {
  const folder = mkdtempSync(join(tmpdir(), 'lateness-'))
  try {
    const { functions, queues, eventSources, rules } = readServiceTemplate(synthesise(folder), endpointsOf({}))
    const functionOf = (name: string) =>
      found(
        functions.find((one) => one.name.endsWith(`-${bundleName(name)}`)),
        `function ${name}`,
      )
    const [placeCall, sweep] = [functionOf(FUNCTIONS[0]), functionOf(FUNCTIONS[1])]
    const source = found(
      eventSources.find(({ functionName }) => functionName === placeCall.name),
      'source of calls',
    )
    const queue = found(
      queues.find(({ arn }) => arn === source.sourceArn),
      'queue of calls',
    )
    const schedules = rules.filter(({ targets }) => targets.some(({ arn }) => arn === sweep.arn)).map(({ schedule }) => schedule)
    if (schedules.join() !== 'rate(1 minute)') throw new Error(`The sweep is to run each minute, not ${schedules}.`)
    return {
      batchSize: source.batchSize,
      maxConcurrency: found(source.maxConcurrency, 'limit of runs that place calls'),
      visibilitySeconds: Number(found(queue.attributes['VisibilityTimeout'], 'visibility time-out')),
      maxReceives: v.parse(Redrive, queue.attributes['RedrivePolicy']).maxReceiveCount,
      placeCallTimeoutSeconds: placeCall.timeoutSeconds,
      sweepTimeoutSeconds: sweep.timeoutSeconds,
      memoryMb: Math.min(placeCall.memoryMb, sweep.memoryMb),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
