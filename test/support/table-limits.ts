import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { client } from '#shared/platform/table/client.ts'
import { startLimitedEngine } from '#test/simulation/limits/limited-engine.ts'

type Options = Parameters<typeof startLimitedEngine>[1]

const worker = new AsyncLocalStorage<string>()

/** Runs as the worker of this name: `withTableLimits` counts its refused requests. */
export const as = <T>(name: string, run: () => Promise<T>): Promise<T> => worker.run(name, run)

/** While `run` runs, the table of this process has the limits of DynamoDB. @returns how often it refused requests, by worker */
export const withTableLimits = async (options: Options, run: () => Promise<void>): Promise<Readonly<Record<string, number>>> => {
  const engine = await startLimitedEngine(() => `${process.env['AWS_ENDPOINT_URL_DYNAMODB']}`, options)
  const refused: Record<string, number> = {}
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.request as object, { port: Number(new URL(engine.url).port) })
      return next(args)
    },
    { step: 'build', name: 'testLimits' },
  )
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        const isBusy = error instanceof TransactionCanceledException || (error instanceof Error && error.name.startsWith('Provisioned'))
        const name = worker.getStore() ?? 'others'
        if (isBusy && error.message.includes('simulated limit')) refused[name] = (refused[name] ?? 0) + 1
        throw error
      }
    },
    { step: 'finalizeRequest', priority: 'low', name: 'testRefusals' },
  )
  try {
    await run()
  } finally {
    client.middlewareStack.remove('testLimits')
    client.middlewareStack.remove('testRefusals')
    await engine.stop()
  }
  return refused
}
