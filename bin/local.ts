import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '#lib/command-line.ts'
import { banner, readyLine } from '#lib/local/banner.ts'
import { StartFailure } from '#lib/local/engines/start-failure.ts'
import { type LocalOptions, readStartCommandLine, START_USAGE } from '#lib/local/options.ts'

/** For a machine that is slow: usually it takes a second. */
const STOP_LIMIT_MS = 30_000

const log = (line: string): void => void process.stderr.write(`${line}\n`)

const run = async (options: LocalOptions): Promise<void> => {
  let stop = async (): Promise<void> => {}
  let ending: Promise<never> | undefined
  const finish = async (exitCode: number): Promise<never> => {
    await Promise.race([stop(), pause(STOP_LIMIT_MS)])
    process.exit(exitCode)
  }
  /** Whatever ends it first decides how; what fails because of that is no news. */
  const end = (exitCode: number, reason?: string): Promise<never> => {
    if (reason !== undefined && !ending) log(reason)
    ending ??= finish(exitCode)
    return ending
  }
  // Not once: a signal that comes again would end the process there and then.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  try {
    // Half a second of loading, which a signal need not wait for.
    const { createLocalService } = await import('#lib/local/service.ts')
    const service = createLocalService(options, { environment: process.env, log })
    stop = service.stop
    void service.broken.then((reason) => end(1, reason))
    const report = await service.start()
    if (!ending) process.stdout.write(options.json ? readyLine(report) : banner(report, options))
  } catch (error) {
    await end(
      1,
      error instanceof StartFailure ? error.message : `The service cannot start: ${error instanceof Error ? error.stack : error}`,
    )
  }
}

await runCommand(readStartCommandLine(process.argv.slice(2)), START_USAGE, async (options) => {
  await run(options)
  return 0
})
