import { writeFile } from 'node:fs/promises'
import { runCommand } from '#lib/command-line/command-line.ts'
import { readFlags } from './flags.ts'
import { countKeyUnits } from './hot-keys/run.ts'

const FILE = new URL('../../lib/reference/hot-keys/key-units.json', import.meta.url)

export const USAGE = `Makes each operation of the target scale once, and counts the read and write units of each partition key. Writes them into
lib/reference/hot-keys/key-units.json. Then npm run generate makes the reference of hot keys.

  npm run simulate -- hot-keys [--help]

  --help  print this
`

const run = async (): Promise<number> => {
  process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT'
  await writeFile(FILE, `${JSON.stringify(await countKeyUnits(), null, 2)}\n`)
  return 0
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readFlags(args, {}), USAGE, run)
