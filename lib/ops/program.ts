import { Command, CommanderError, Option } from 'commander'
import { type CommandOption, swallowedBy } from '../command-line/swallowed-options.ts'
import { commands } from './commands.ts'
import { outputTo } from './output.ts'
import { OpsCutShort, OpsMistake, OpsRefusal } from './refusal.ts'
import { newRunner } from './runner.ts'
import type { OpsEnvironment } from './surroundings.ts'
import { DEFAULT_DATA, DEFAULT_STAGE } from './target.ts'

const MISTAKEN = 2

const EXAMPLES = `
Examples:
  npm run ops -- apply company.yaml --dry-run
  npm run ops -- get users
  npm run ops -- get users --target aws --stage staging --profile operator --region us-east-1

Exit codes: 0 done, 1 refused or found something wrong, 2 a mistake in the command.

With --json, a command that ends with 0 or 1 prints one JSON document on standard output. Messages for people go to standard error. A
failure is {"error": "a sentence"}. Mistakes in a file are {"applied": false, "mistakes": [{"file", "line", "column", "path",
"message"}]}. After an interruption, the document also says what was done: apply adds "written", "ids" and "secrets", and under "unclear"
what may or may not be written.
`

const newProgram = ({ print, note }: OpsEnvironment): Command =>
  new Command('ops')
    .usage('<command> [options]')
    .description('Sets up, inspects and repairs the lead outreach service, on this machine or in an AWS account.')
    .addOption(new Option('--target <target>', 'which service').choices(['local', 'aws']).default('local'))
    .option('--data <dir>', `local: its data directory (default: ${DEFAULT_DATA})`)
    .option('--stage <stage>', `aws: its stage (default: ${DEFAULT_STAGE})`)
    .option('--profile <profile>', 'aws: profile of the credentials (default: those of the environment)')
    .option('--region <region>', 'aws: region (default: that of the environment)')
    .option('--json', 'print one JSON document instead of tables, also for a failure')
    .addHelpText('after', EXAMPLES)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: print, writeErr: note })
    .showHelpAfterError('See --help.')
    .exitOverride()

/** The options of all commands. npm may have swallowed the command's name, so the command is unknown here. */
const optionsOf = (command: Command): CommandOption[] => {
  const own = command.options.map((option) => ({ name: option.name(), takesValue: option.required || option.optional }))
  const all = [...own, ...command.commands.flatMap(optionsOf)]
  return [...new Map(all.map((option) => [option.name, option])).values()]
}

/** The only sign from the SDK that neither the environment nor a profile names a region. */
const NO_REGION = 'Region is missing'

/** Errors of AWS, or of the system. */
const isSdkError = (error: Error): boolean => ['$metadata', 'code'].some((mark) => mark in error)

const noCredentials = (reason: string, profile: string | undefined): string =>
  profile
    ? `The profile ${profile} gives no AWS credentials (${reason}). Name another one with --profile, or add it with: aws configure --profile ${profile}`
    : `There are no AWS credentials (${reason}). Name a profile with --profile, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`

interface Failure {
  readonly sentence: string
  /** For an unexpected error: its stack. */
  readonly forPeople: string
}

/** A sentence about a profile that the files of AWS on this machine do not contain. */
const unknownProfile = async (profile: string | undefined): Promise<string | undefined> => {
  if (!profile) return undefined
  const { profileNames } = await import('#shared/platform/account/profiles.ts')
  const names = await profileNames()
  if (names.includes(profile)) return undefined
  const known = names.length > 0 ? `The profiles are: ${names.join(', ')}.` : 'There are no profiles.'
  return `There is no profile ${profile} on this machine. ${known} Name another one with --profile, or add it with: aws configure --profile ${profile}`
}

const failureOf = async (error: unknown, profile: string | undefined): Promise<Failure> => {
  const alike = (sentence: string): Failure => ({ sentence, forPeople: sentence })
  if (!(error instanceof Error)) return alike(String(error))
  if (error instanceof OpsRefusal) return alike(error.message)
  const [lacksRegion, lacksCredentials] = [error.message === NO_REGION, error.name === 'CredentialsProviderError']
  const unknown = lacksRegion || lacksCredentials ? await unknownProfile(profile) : undefined
  if (unknown !== undefined) return alike(unknown)
  if (lacksRegion) return alike('No region is set. Set it with --region, in the profile, or in AWS_REGION.')
  if (lacksCredentials) return alike(noCredentials(error.message, profile))
  if (isSdkError(error)) return alike(`A call to the service failed: ${error.name}: ${error.message}`)
  return { sentence: error.message, forPeople: error.stack ?? error.message }
}

/**
 * Runs one command.
 * @returns the exit code: 0 done, 1 refused or something found wrong, 2 a mistake in the command
 */
export const runOps = async (args: readonly string[], surroundings: OpsEnvironment): Promise<number> => {
  let exitCode: number = 0
  const program = newProgram(surroundings)
  const run = newRunner(surroundings, (code) => {
    exitCode = code
  })
  for (const add of commands) add(program, run)
  const swallowed = swallowedBy(surroundings.npm, optionsOf(program))
  if (swallowed !== undefined) {
    surroundings.note(swallowed)
    return MISTAKEN
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISTAKEN
    const [reason, done] = error instanceof OpsCutShort ? [error.cause, error.done] : [error, {}]
    const { sentence, forPeople } = await failureOf(reason, surroundings.environment['AWS_PROFILE'])
    surroundings.note(`${forPeople}\n`)
    if (error instanceof OpsMistake) return MISTAKEN
    // Commands print their result at the end, so a failed command has printed none.
    if (program.opts()['json'] === true) outputTo(surroundings, true).show({ error: sentence, ...done }, () => sentence)
    return 1
  }
  return exitCode
}
