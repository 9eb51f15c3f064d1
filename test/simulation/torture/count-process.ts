import { openTarget } from '#lib/ops/target.ts'

/** Counts the items of a running service, and prints the result as JSON. The argument is the service's data directory, as JSON. */
const data: string = JSON.parse(process.argv[2] ?? '')
Object.assign(process.env, await openTarget({ target: 'local', data }, process.env))
const { countedItems } = await import('#test/support/counted-items.ts')
process.stdout.write(JSON.stringify(await countedItems()))
