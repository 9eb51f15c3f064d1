import { runCommand } from '#lib/command-line/command-line.ts'
import { readFlags } from '#test/simulation/flags.ts'
import { findPatterns, type Pattern } from './found.ts'
import { makePatterns } from './made.ts'
import { keyOf, verdictsOn } from './verdicts.ts'

const USAGE = `Looks at every regular expression of the code with recheck, except for those that are only applied to short texts: a table names them.
Ends with 1 when one takes more time than its text is long.

  npm run patterns

  --help  print this
`

/** @returns what is wrong, in sentences */
const faultsIn = async (): Promise<readonly string[]> => {
  const { written, making } = await findPatterns()
  const { patterns: made, missed } = await makePatterns(making)
  const all: readonly Pattern[] = [...written, ...made]
  // Imported late, because what it loads builds patterns itself.
  const { LIMITED } = await import('./limits.ts')
  const limitOf = ({ file, source }: Pattern) => LIMITED.find((one) => one.file === file && source.startsWith(one.source))
  const limited = all.filter(limitOf)
  const verdicts = await verdictsOn(all.filter((pattern) => !limitOf(pattern)))
  process.stdout.write(`${verdicts.size} patterns, and ${limited.length} that are only applied to short texts.\n`)
  for (const { file, source, most, by } of LIMITED) process.stdout.write(`${file}: ${source}\n  at most ${most} characters: ${by}.\n`)
  const slow = all.filter((pattern) => !limitOf(pattern) && verdicts.get(keyOf(pattern)) !== 'safe')
  return [
    ...slow.map((one) => `${one.file}: ${keyOf(one)}\n  ${verdicts.get(keyOf(one))}`),
    ...missed.map((file) => `${file}: not every pattern that it makes is looked at: name in test/patterns/made.ts what makes it.`),
    ...LIMITED.filter((limit) => !limited.some((pattern) => limitOf(pattern) === limit)).map(
      ({ file, source }) => `${file}: the table of limits names ${source}, and there is no such pattern.`,
    ),
  ]
}

/** @returns the exit code */
const run = async (): Promise<number> => {
  const faults = await faultsIn()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  return faults.length > 0 ? 1 : 0
}

await runCommand(readFlags(process.argv.slice(2), {}), USAGE, run)
