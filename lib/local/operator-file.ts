import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { nameOfProcess } from './engines/process-name.ts'
import { replaceFile } from './engines/replace-file.ts'
import type { FunctionSpec } from './model.ts'

/** What the operator's tool needs to know of the service that runs on a data directory. */
export const OperatorFile = v.object({
  /** Name of its process. */
  process: v.string(),
  url: v.string(),
  /** As the functions have it. */
  environment: v.record(v.string(), v.string()),
})
export type OperatorFile = v.InferOutput<typeof OperatorFile>

export const operatorFileIn = (directory: string): string => join(directory, 'operator.json')

/** Of one function alone. */
const OWN = /^(AWS_LAMBDA_|POWERTOOLS_|NODE_OPTIONS$|ROUTES$)/

const environmentOf = (functions: readonly FunctionSpec[]): Record<string, string> =>
  Object.fromEntries(functions.flatMap(({ environment }) => Object.entries(environment)).filter(([name]) => !OWN.test(name)))

/**
 * @param told what the stacks tell the operator's tool
 * @returns the file, and how to take it away
 */
export const writeOperatorFile = async (
  directory: string,
  url: string,
  functions: readonly FunctionSpec[],
  told: Readonly<Record<string, string>>,
) => {
  const path = operatorFileIn(directory)
  const content: OperatorFile = { process: nameOfProcess(process.pid), url, environment: { ...told, ...environmentOf(functions) } }
  await replaceFile(path, JSON.stringify(content))
  return { path, remove: () => rm(path, { force: true }) }
}
