import { join } from 'node:path'
import { type CommandLine, mistake, readBy, runCommand } from '#lib/command-line/command-line.ts'
import { GENERATORS, writeFiles } from '#lib/generated.ts'
import { didYouMean } from '#shared/http/fields/nearest.ts'

const PROJECT = join(import.meta.dirname, '..')

const names = [...GENERATORS.keys()]
const isImported = (name: string): boolean => GENERATORS.get(name)?.isImported === true
const lineOf = (name: string): string => `  ${name.padEnd(15)}${GENERATORS.get(name)?.about}`

const USAGE = `Writes the generated files, and reports which of them have changed.

  npm run generate
  npm run generate -- NAME...

Generated from files of the project. Without a NAME, all of these:

${names
  .filter((name) => !isImported(name))
  .map(lineOf)
  .join('\n')}

Generated from outside data, only when named:

${names.filter(isImported).map(lineOf).join('\n')}
`

const readCommandLine = (args: readonly string[]): CommandLine<readonly string[]> =>
  readBy({ args: [...args], options: { help: { type: 'boolean' } }, allowPositionals: true }, ({ values, positionals }) => {
    if (values.help) return { kind: 'help' }
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) return mistake(`There is no generator named ${unknown}.${didYouMean(unknown, names)}`)
    return { kind: 'run', options: positionals.length > 0 ? positionals : names.filter((name) => !isImported(name)) }
  })

await runCommand(readCommandLine(process.argv.slice(2)), USAGE, async (chosen) => {
  for (const name of chosen) {
    const files = await GENERATORS.get(name)?.files()
    await writeFiles(PROJECT, files ?? {}, (line) => void process.stdout.write(`${line}\n`))
  }
  return 0
})
