import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { OperatorFile, operatorFileIn } from '#lib/local/operator-file.ts'
import { isAlive } from '#lib/local/processes/process-name.ts'
import { variableOf } from '#lib/operator-outputs.ts'
import { Settings } from '#lib/settings.ts'
import { OpsMistake, OpsRefusal } from './refusal.ts'

/** The service that the tool operates. */
export const Target = v.object({
  target: v.picklist(['local', 'aws']),
  /** Data directory of a local service. */
  data: v.optional(v.string()),
  stage: v.optional(v.string()),
  profile: v.optional(v.string()),
  region: v.optional(v.string()),
})
export type Target = v.InferOutput<typeof Target>

/** Default data directory of a local service. */
export const DEFAULT_DATA = '.local'
/** Default stage. */
export const DEFAULT_STAGE = 'prod'

/** Options that a target does not take. */
const FOREIGN = { local: ['stage', 'profile', 'region'], aws: ['data'] } as const

/** An operator who names a stage but forgets `--target aws` means another service. @throws OpsMistake */
const checkOptions = (target: Target): void => {
  const [name] = FOREIGN[target.target].filter((option) => target[option] !== undefined)
  const other = target.target === 'local' ? 'aws' : 'local'
  if (name) throw new OpsMistake(`--${name} is an option of --target ${other}, but this is --target ${target.target}. Change one of them.`)
}

/** The options that name the same service on a command line. */
export const targetOptions = ({ target, data, stage = DEFAULT_STAGE, profile, region }: Target): readonly string[] => {
  if (target === 'local') return data === undefined ? [] : ['--data', data]
  return ['--target', 'aws', '--stage', stage, ...(profile ? ['--profile', profile] : []), ...(region ? ['--region', region] : [])]
}

type Environment = Readonly<Record<string, string>>

const readLocal = async (directory: string): Promise<OperatorFile | undefined> => {
  try {
    return v.parse(OperatorFile, JSON.parse(await readFile(operatorFileIn(directory), 'utf8')))
  } catch {
    return undefined
  }
}

const localEnvironment = async (directory: string): Promise<Environment> => {
  const found = await readLocal(directory)
  if (found && isAlive(found.process)) return found.environment
  throw new OpsRefusal(
    `No local service runs on ${resolve(directory)}. Start it with npm start, or name its folder with --data. A service that was started with --memory prints its folder in its banner and its ready line.`,
  )
}

const checkStage = (stage: string): void => {
  const { issues } = v.safeParse(Settings.entries.stage, stage)
  if (issues) throw new OpsMistake(`--stage ${issues[0].message}, not "${stage}".`)
}

/** Matches the stacks of exactly this stage: prod does not match stacks of prod-eu. */
export const stacksOf = (stage: string): RegExp => new RegExp(`^lead-outreach-${stage}-[a-z]+$`)

const accountOf = ({ profile, region }: Target): Environment => ({
  ...(profile && { AWS_PROFILE: profile }),
  ...(region && { AWS_REGION: region }),
})

const awsEnvironment = async (target: Target, environment: Record<string, string | undefined>): Promise<Environment> => {
  const { stage = DEFAULT_STAGE } = target
  checkStage(stage)
  const chosen = accountOf(target)
  Object.assign(environment, chosen)
  const { stackOutputs } = await import('#shared/platform/account/stack-outputs.ts')
  const outputs = Object.entries(await stackOutputs(stacksOf(stage))).flatMap(([name, value]) => {
    const variable = variableOf(name)
    return variable === undefined ? [] : [[variable, value] as const]
  })
  if (outputs.length > 0) return { ...chosen, ...Object.fromEntries(outputs) }
  throw new OpsRefusal(
    `No stack of the stage ${stage} has the outputs that this tool needs. Check that this version is deployed in this account and region. See --stage, --profile and --region.`,
  )
}

/**
 * The environment of the target's functions.
 * @throws OpsRefusal when there is no such service; OpsMistake when the stage is malformed, or options contradict each other
 */
export const openTarget = async (target: Target, environment: Record<string, string | undefined>): Promise<Environment> => {
  checkOptions(target)
  return target.target === 'local' ? localEnvironment(target.data ?? DEFAULT_DATA) : awsEnvironment(target, environment)
}

/** The account of the target, for a command that needs no deployment. @throws OpsMistake when options contradict each other */
export const openAccount: typeof openTarget = async (target) => {
  checkOptions(target)
  return accountOf(target)
}
