import { openTarget } from '#lib/ops/target.ts'

/** Counts the items of a running service, and prints the result as JSON. The argument is the service's data directory. */
Object.assign(process.env, await openTarget({ target: 'local', data: process.argv[2] ?? '' }, process.env))
const { countedItems } = await import('#test/support/counted-items.ts')
process.stdout.write(JSON.stringify(await countedItems()))
