import { createRequire } from 'node:module'
import { CDK_OPTIONS, cdkArguments } from '#lib/command-line/cdk-arguments.ts'
import { npmCallOf } from '#lib/command-line/npm-call.ts'
import { swallowedBy } from '#lib/command-line/swallowed-options.ts'

const fail = (message: string): void => {
  process.stderr.write(message)
  process.exitCode = 2
}

const [node = '', program = '', command = '', ...args] = process.argv
/** The arguments of the user. The scripts of `package.json` put one of these options before them. */
const own = ['--all', '--quiet'].includes(args[0] ?? '') ? args.slice(1) : args

const swallowed = swallowedBy(npmCallOf({ env: process.env, argv: [node, program, ...own], ppid: process.ppid }), CDK_OPTIONS)
if (swallowed) fail(swallowed)
else {
  try {
    process.argv = [node, program, command, ...cdkArguments(command, args)]
    createRequire(import.meta.url)('aws-cdk/bin/cdk')
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error}\n`)
  }
}
