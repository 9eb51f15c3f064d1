import { setTimeout as pause } from 'node:timers/promises'
import { runCommand } from '#lib/command-line/command-line.ts'
import { banner, readyLine } from '#lib/local/banner.ts'
import { StartFailure } from '#lib/local/engines/engine.ts'
import { type LocalOptions, readStartCommandLine, START_USAGE } from '#lib/local/options.ts'

/** Long enough for a slow machine: usually it takes a second. */
const STOP_LIMIT_MS = 30_000

const write = (line: string): void => void process.stderr.write(`${line}\n`)

const run = async (options: LocalOptions): Promise<void> => {
  let stop = async (): Promise<void> => {}
  let ending: Promise<never> | undefined
  let isReady = false
  const finish = async (exitCode: number): Promise<never> => {
    await Promise.race([stop(), pause(STOP_LIMIT_MS)])
    process.exit(exitCode)
  }
  /** The first cause decides the exit code. Later failures are its consequences, and are not printed. */
  const end = (exitCode: number, reason?: string): Promise<never> => {
    if (reason !== undefined && !ending) write(reason)
    ending ??= finish(exitCode)
    return ending
  }
  // `on`, not `once`: a second signal would otherwise end the process at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void end(0, isReady ? 'The service stops.' : 'The start was stopped. Nothing runs.'))
  try {
    // Loaded here because it takes half a second, for which a signal should not have to wait.
    const { createLocalService } = await import('#lib/local/service.ts')
    const service = createLocalService(options, { environment: process.env, write })
    stop = service.stop
    void service.broken.then((reason) => end(1, reason))
    const report = await service.start()
    isReady = true
    if (!ending) process.stdout.write(options.json ? readyLine(report) : banner(report, options, options.now ?? Date.now()))
    if (report.warning !== undefined) write(report.warning)
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
