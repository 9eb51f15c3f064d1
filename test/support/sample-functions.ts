import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFunctions } from '#lib/local/functions/start-functions.ts'
import type { FunctionSpec } from '#lib/local/model.ts'

const sources = {
  echo: `export const handler = async (event, context) => ({ event, name: process.env.NAME, home: process.env.HOME ?? null, zone: new Date().getTimezoneOffset(),
    context: { ...context, left: context.getRemainingTimeInMillis() } })`,
  other: 'export const handler = async () => ({ name: process.env.NAME, global: globalThis.mark ?? null })',
  marking: 'export const handler = async () => { globalThis.mark = (globalThis.mark ?? 0) + 1; return globalThis.mark }',
  slow: 'export const handler = (event) => new Promise((done) => setTimeout(done, event.ms, "done"))',
  endless: 'export const handler = (event) => { while (event.ever) {} return "ended" }',
  throwing: 'export const handler = async (event) => { if (event.fine) return "fine"; throw new RangeError("out of range") }',
  exiting: 'export const handler = async () => process.exit(0)',
  rejecting: 'export const handler = () => { Promise.reject(new Error("nobody listens")); return new Promise(() => {}) }',
  broken: 'import "nothing-of-that-name"; export const handler = async () => 1',
  nothing: 'export const handler = async () => { console.log("said by a function") }',
}

export type SampleFunction = keyof typeof sources

/** Functions of all kinds, running in sandboxes as the local service's do. */
export const startSampleFunctions = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'functions-'))
  const pidFile = join(directory, 'functions.pid')
  const specs = Object.entries(sources).map(([name, source]): FunctionSpec => {
    const bundle = join(directory, name)
    mkdirSync(bundle)
    writeFileSync(join(bundle, 'index.mjs'), source)
    const arn = `arn:aws:lambda:us-east-1:123456789012:function:${name}`
    const timeoutSeconds = name === 'endless' ? 0.3 : 5
    return { name, arn, bundle, handler: 'index.handler', environment: { NAME: name }, timeoutSeconds, memoryMb: 128 }
  })
  const lines: string[] = []
  const functions = await startFunctions(specs, { log: (line) => lines.push(line), warm: ['echo'], pidFile })
  return {
    functions,
    directory,
    pidFile,
    specs,
    /** What they logged. */
    lines,
    invoke: (name: SampleFunction, event: unknown = {}) => functions.invoke(name, event),
    stop: async (): Promise<void> => {
      await functions.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
