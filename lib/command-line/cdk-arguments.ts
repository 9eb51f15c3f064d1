/** Options that change what cdk deploys and where to. npm reads `-c` as its own `--call`. */
export const CDK_OPTIONS = [
  ...['stage', 'context', 'profile', 'role-arn', 'require-approval', 'method'].map((name) => ({ name, takesValue: true })),
  ...['exclusively', 'force'].map((name) => ({ name, takesValue: false })),
  { name: 'call', takesValue: true, writtenAs: 'context' },
]

/**
 * The arguments for cdk, with `--stage NAME` as the context `stage=NAME`. cdk ignores options that it does not know, so it would deploy or
 * destroy the default stage.
 * @throws Error when `--stage` has no value
 */
export const cdkArguments = (args: readonly string[]): string[] =>
  args.flatMap((arg, index) => {
    if (args[index - 1] === '--stage') return []
    if (arg.startsWith('--stage=')) return ['--context', arg.slice('--'.length)]
    if (arg !== '--stage') return arg
    const stage = args[index + 1]
    if (stage === undefined || stage.startsWith('-')) throw new Error('--stage needs the name of a stage, such as --stage staging.')
    return ['--context', `stage=${stage}`]
  })
