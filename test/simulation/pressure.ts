import { type CommandLine, runCommand } from '#lib/command-line/command-line.ts'
import { isGiven, numberOr, readFlags } from './flags.ts'
import { findingLine, isBroken } from './lateness/finding.ts'
import { findingsOf, ratesTable, throttledTable, unitsTable } from './pressure/findings.ts'
import { type Request, runPhases } from './pressure/run.ts'

export const USAGE = `Plays calls, a large file, bulk requests and webhooks at the same time, on a table that takes fewer and fewer write units a
second. The handlers and the table are real; time, queues, agent and receiver are simulated. First, the calls are alone. Then the table has
no limit, takes 70 %, 40 % and 25 % of the units that all of this takes, 1.3 times those of calls, reports and webhooks, and at last 1.3
times those of calls and reports. Files must slow down first, then bulk requests, then webhooks, and calls hardly. Ends with 1 when a bound
is broken. The default takes about half an hour.

  npm run simulate -- pressure [--lines 100] [--seconds 30]

  --lines N       of the user whose leads are called, in calls of five seconds (default 100)
  --lanes N       of the file (default 8)
  --bulks N       clients that always have a bulk request of 200 leads in flight (default 2)
  --deliveries N  webhooks a second (default 100)
  --seconds N     for which is counted in each phase, after the first 20 (default 30)
  --seed N        of everything random (default 1)
  --short         only the calls alone, and the last phase
  --quiet         no progress
  --help          print this
`

const FLAGS = {
  lines: numberOr(100, [5, 1000]),
  lanes: numberOr(8, [2, 8]),
  bulks: numberOr(2, [1, 4]),
  deliveries: numberOr(100, [1, 1000]),
  seconds: numberOr(30, [5, 60]),
  seed: numberOr(1, [1, 2 ** 31 - 1]),
  short: isGiven,
  quiet: isGiven,
}

const readCommandLine = (args: readonly string[]): CommandLine<Request> => {
  const read = readFlags(args, FLAGS)
  if (read.kind !== 'run') return read
  const { short: isShort, quiet, ...size } = read.options
  return { kind: 'run', options: { size, isShort, quiet } }
}

/** @returns the exit code */
const runAndPrint = async (request: Request): Promise<number> => {
  const phases = await runPhases(request)
  const loaded = [...(phases.free ? [phases.free] : []), ...phases.limited]
  const all = [phases.alone, ...loaded]
  const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`)
  print(['', 'In a second of modelled time', ...ratesTable(all)])
  print(['', 'Write units in a second', ...unitsTable(all, request.size.seconds)])
  print(['', 'Throttled tries, and requests that were refused at every try', ...throttledTable(all)])
  let broken = 0
  for (const result of loaded) {
    const findings = findingsOf(result, phases)
    broken += findings.filter(isBroken).length
    print(['', result.most === null ? 'no limit' : `${result.most} write units a second`, ...findings.map(findingLine)])
    print(result.faults.slice(0, 3).map((fault) => `  ${fault}`))
  }
  print(['', broken === 0 ? 'Every bound holds.' : `Broken bounds: ${broken}.`])
  return broken === 0 ? 0 : 1
}

export const main = (args: readonly string[]): Promise<void> => runCommand(readCommandLine(args), USAGE, runAndPrint)
