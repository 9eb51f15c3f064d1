import { createInterface } from 'node:readline/promises'
import { setFlagsFromString } from 'node:v8'
import { endWithReader } from '#lib/command-line/command-line.ts'
import { npmCallOf } from '#lib/command-line/npm-call.ts'
import { runOps } from '#lib/ops/program.ts'
import { logger } from '#shared/platform/logger.ts'

// Commands that read the whole table make much garbage. By default, Node.js lets it pile up on a machine with much memory.
setFlagsFromString('--optimize-for-size')

// Lines of the log below a warning would get between the lines of the output.
logger.setLogLevel('WARN')

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(question)
  } finally {
    terminal.close()
  }
}

endWithReader(process.stdout)
process.exitCode = await runOps(process.argv.slice(2), {
  environment: process.env,
  npm: npmCallOf(process),
  print: (text) => process.stdout.write(text),
  note: (text) => process.stderr.write(text),
  ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
})
