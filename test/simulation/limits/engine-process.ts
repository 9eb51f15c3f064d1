import { startDynamodb } from '#lib/local/engines/dynamodb.ts'

// An engine in a process of its own. A kill of this process kills the engine, as a kill of the local service does.
const { stop, url } = await startDynamodb({ ...JSON.parse(process.argv[2] ?? '{}'), log: () => {} })
process.once('SIGTERM', async () => {
  await stop()
  process.exit()
})
process.stdout.write(`${url}\n`)
// A running engine that we did not start would not keep this process alive.
setInterval(() => {}, 2 ** 30)
