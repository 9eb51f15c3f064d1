import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { bundleName, functionNames } from '#lib/constructs/bundle.ts'
import { built } from './built.ts'

export const FUNCTIONS: readonly string[] = functionNames()

/** Empty bundles, for templates that nobody runs. */
export const makeBundles = (folder: string): void => {
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, bundleName(name)))
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), `export const handler = async () => '${name}'`)
  }
}

/** Resources of a type, by id. */
export const resourcesOf = (stacks: readonly Template[], type: string) =>
  stacks.flatMap((template) =>
    Object.entries(template.findResources(type)).map(([id, { Properties, ...rest }]) => [id, { Properties, ...rest }] as const),
  )

/** Stacks of the local service, by id. Shared by all suites: do not change them. */
export const builtTemplates = async <const Id extends string>(ids: readonly Id[]): Promise<Readonly<Record<Id, Template>>> => {
  const { assembly } = await built()
  const read = (id: Id) => Template.fromJSON(JSON.parse(readFileSync(join(assembly, `${id}.template.json`), 'utf8')))
  return Object.fromEntries(ids.map((id) => [id, read(id)])) as Record<Id, Template>
}
