import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { replaceFile } from './engines/kept-texts.ts'
import type { FunctionSpec } from './model.ts'
import { nameOfProcess } from './processes/process-name.ts'

/** Data that the operator's tool needs to reach the service on a data directory. */
export const OperatorFile = v.object({
  /** Name of the service's process. */
  process: v.string(),
  url: v.string(),
  /** The functions' environment variables. */
  environment: v.record(v.string(), v.string()),
})
export type OperatorFile = v.InferOutput<typeof OperatorFile>

export const operatorFileIn = (directory: string): string => join(directory, 'operator.json')

/** Variables that are for one function only. */
const OWN = /^(AWS_LAMBDA_|POWERTOOLS_|NODE_OPTIONS$|ROUTES$)/

const environmentOf = (functions: readonly FunctionSpec[]): Record<string, string> =>
  Object.fromEntries(functions.flatMap(({ environment }) => Object.entries(environment)).filter(([name]) => !OWN.test(name)))

/**
 * @param outputs the stack outputs for the operator's tool
 * @returns the file's path, and a function that removes the file
 */
export const writeOperatorFile = async (
  directory: string,
  url: string,
  functions: readonly FunctionSpec[],
  outputs: Readonly<Record<string, string>>,
) => {
  const path = operatorFileIn(directory)
  const content: OperatorFile = { process: nameOfProcess(process.pid), url, environment: { ...outputs, ...environmentOf(functions) } }
  await replaceFile(path, JSON.stringify(content))
  return { path, remove: () => rm(path, { force: true }) }
}
