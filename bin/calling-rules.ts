import { readFileSync } from 'node:fs'
import { rulesDiff } from '#lib/calling-rules/diff.ts'
import { parseRules, presentRules } from '#lib/calling-rules/read-rules.ts'
import { type CommandLine, endWithReader, mistake, readBy, runCommand } from '#lib/command-line/command-line.ts'

const USAGE = `Compares the calling rules with an older version of them.

  npm run calling-rules -- diff OLD

OLD is a file calling-rules.json, for example of an earlier commit:

  git show HEAD~10:shared/data/calling-rules.json > old.json

Prints for each place and time which calls are treated differently, then the holidays, duties and bills that are new, gone or changed. The
last line names every place whose dates, bases, citations, sources, notes or confidence changed, also if its hours changed too. Files in
the form without dates are read too.
`

interface Options {
  readonly file: string
}

const readCommandLine = (args: readonly string[]): CommandLine<Options> =>
  readBy({ args: [...args], options: { help: { type: 'boolean' } }, allowPositionals: true }, ({ values, positionals }) => {
    const [command, file, ...more] = positionals
    if (values.help || command === undefined) return { kind: 'help' }
    if (command !== 'diff') return mistake(`There is no command ${command}. The command is diff.`)
    if (file === undefined) return mistake('diff needs the file of the older rules.')
    return more.length > 0 ? mistake('diff takes one file.') : { kind: 'run', options: { file } }
  })

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

endWithReader(process.stdout)
await runCommand(readCommandLine(process.argv.slice(2)), USAGE, async ({ file }) => {
  const text = textOf(file)
  const read = text === undefined ? { mistake: `${file} cannot be read.` } : parseRules(text)
  if ('mistake' in read) {
    process.stderr.write(`${read.mistake}\n`)
    return 1
  }
  const present = presentRules()
  const lines = rulesDiff(read.rules, present)
  process.stdout.write(`${[`The calling rules of ${read.rules.asOf}, and now those of ${present.asOf}:`, '', ...lines].join('\n')}\n`)
  if (lines.length === 0) process.stdout.write('Nothing changed.\n')
  process.stdout.write('\nThe rules are not legal advice.\n')
  return 0
})
