import { buildApp } from '#lib/app.ts'
import { npmCallOf } from '#lib/npm-call.ts'
import { swallowedBy } from '#lib/swallowed-options.ts'

/** Options of cdk. If npm takes one for itself, cdk deploys another stage or to another account. npm reads `-c` as its own `--call`. */
const OF_CDK = [
  ...['context', 'profile', 'role-arn', 'require-approval', 'method'].map((name) => ({ name, takesValue: true })),
  ...['exclusively', 'force'].map((name) => ({ name, takesValue: false })),
  { name: 'call', takesValue: true, writtenAs: 'context' },
]

const fail = (sentence: string): void => {
  process.stderr.write(sentence)
  process.exitCode = 1
}

// npm's script runs cdk, and cdk runs this program.
const swallowed = swallowedBy(npmCallOf({ env: process.env, argv: ['', 'cdk'], ppid: process.ppid }), OF_CDK)
if (swallowed) fail(swallowed)
else {
  try {
    buildApp().synth()
  } catch (error) {
    fail(`${error instanceof Error ? error.message : error}\n`)
  }
}
