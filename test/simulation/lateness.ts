import { runCommand } from '#lib/command-line/command-line.ts'
import { readCommandLine, USAGE } from './lateness/command-line.ts'
import { findingLine, isBroken } from './lateness/finding.ts'
import { type Request, runSimulations } from './lateness/run.ts'

/** Runs simulations, and prints what they found. @returns the exit code */
export const runAndPrint = async (request: Request): Promise<number> => {
  const results = await runSimulations(request)
  let broken = 0
  for (const scenario of request.scenarios) {
    const findings = results.get(scenario) ?? []
    process.stdout.write(`\n${scenario}\n`)
    for (const finding of findings) {
      process.stdout.write(`${findingLine(finding)}
`)
      if (isBroken(finding)) broken++
    }
  }
  process.stdout.write(broken === 0 ? '\nEvery bound holds.\n' : `\nBroken bounds: ${broken}.\n`)
  return broken === 0 ? 0 : 1
}

export { USAGE }

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args, process.env), USAGE, runAndPrint)
