/** Options that change what cdk deploys and where to. npm reads `-c` as its own `--call`. */
export const CDK_OPTIONS = [
  ...['stage', 'context', 'profile', 'role-arn', 'require-approval', 'method'].map((name) => ({ name, takesValue: true })),
  ...['exclusively', 'force', 'execute'].map((name) => ({ name, takesValue: false })),
  { name: 'call', takesValue: true, writtenAs: 'context' },
]

/** `-c stage=NAME`, which cdk accepts in several spellings. */
const STAGE_IN_CONTEXT = /^(?:(?:-c|--context)=?)?stage=/

/**
 * The arguments for a command of cdk, with `--stage NAME` as the context `stage=NAME`. cdk ignores options that it does not know, so it would
 * deploy or destroy the default stage.
 * @throws Error when the stage is not clear
 */
export const cdkArguments = (command: string, args: readonly string[]): string[] => {
  const misspelled = args.find((arg) => /^--sta/.test(arg) && !/^--stage(?:=|$)/.test(arg))
  if (misspelled !== undefined) throw new Error(`${misspelled} is not an option of this command. Write --stage NAME.`)
  const stages: string[] = []
  const others: string[] = []
  for (const [index, arg] of args.entries()) {
    if (arg === '--stage') stages.push(args[index + 1] ?? '')
    else if (arg.startsWith('--stage=')) stages.push(arg.slice('--stage='.length))
    else if (args[index - 1] !== '--stage') others.push(arg)
  }
  if (stages.some((stage) => stage === '' || stage.startsWith('-')))
    throw new Error('--stage needs the name of a stage, such as --stage staging.')
  const inContext = others.filter((arg) => STAGE_IN_CONTEXT.test(arg)).length
  if (stages.length + inContext > 1) throw new Error('The stage is named more than once. Write --stage NAME once.')
  if (command === 'destroy' && stages.length + inContext === 0) throw new Error('destroy needs the stage to remove: --stage NAME.')
  return [...others, ...stages.flatMap((stage) => ['--context', `stage=${stage}`])]
}
