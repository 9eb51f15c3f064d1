import { Command } from 'commander'
import * as v from 'valibot'
import { type Output, outputTo } from './output.ts'
import { OpsMistake } from './refusal.ts'
import type { OpsEnvironment } from './surroundings.ts'
import { openTarget, Target } from './target.ts'
import { REAL_WAITING, type Waiting } from './waiting.ts'

export interface OpsOperation<Given> {
  /** Arguments and options of the command, by their names. */
  readonly given: Given
  readonly output: Output
  /** Includes the target's variables that the modules need. */
  readonly environment: OpsEnvironment['environment']
  readonly waiting: Waiting
}

/** 0: done. 1: refused, or the command found something wrong. */
export type ExitCode = 0 | 1

/**
 * Makes the action of a command: parses the arguments, opens the target and acts. Modules find the target in the environment, so an action
 * imports them when it runs: `await import('../api-keys.ts')`.
 * @param given schema of arguments and options, by commander's names
 * @param open opens the target: by default, the deployment or the local service
 */
export type Runner = <S extends v.GenericSchema>(
  given: S,
  act: (operation: OpsOperation<v.InferOutput<S>>) => Promise<ExitCode>,
  open?: typeof openTarget,
) => (...args: unknown[]) => Promise<void>

/** An optional flag. */
export const Flag = v.optional(v.boolean(), false)

const namedArguments = (command: Command): Record<string, unknown> =>
  Object.fromEntries(command.registeredArguments.map((argument, at) => [argument.name(), command.processedArgs[at]]))

/** @throws OpsMistake */
const givenBy = <S extends v.GenericSchema>(Given: S, options: unknown): v.InferOutput<S> => {
  const read = v.safeParse(Given, options)
  if (read.success) return read.output
  throw new OpsMistake(read.issues[0].message)
}

/** @param end gets the exit code */
export const newRunner =
  (surroundings: OpsEnvironment, end: (code: ExitCode) => void): Runner =>
  (Given, act, open = openTarget) =>
  async (...args) => {
    const command = args.at(-1)
    if (!(command instanceof Command)) throw new Error('The last argument of an action must be its command.')
    const options = { ...command.optsWithGlobals(), ...namedArguments(command) }
    const { json } = v.parse(v.object({ json: Flag }), options)
    const given = givenBy(Given, options)
    Object.assign(surroundings.environment, await open(v.parse(Target, options), surroundings.environment))
    const { environment, waiting = REAL_WAITING } = surroundings
    end(await act({ given, output: outputTo(surroundings, json), environment, waiting }))
  }
