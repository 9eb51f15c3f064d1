import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Template } from 'aws-cdk-lib/assertions'
import { bundleName } from '#lib/constructs/bundle.ts'
import { built } from './built.ts'

/** Every folder below `functions/` that holds one. */
export const FUNCTIONS: readonly string[] = globSync('**/index.ts', { cwd: fileURLToPath(new URL('../../functions', import.meta.url)) })
  .map(dirname)
  .toSorted()

/** Bundles that do nothing, for templates that nobody runs. */
export const makeBundles = (folder: string): void => {
  for (const name of FUNCTIONS) {
    mkdirSync(join(folder, bundleName(name)))
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), `export const handler = async () => '${name}'`)
  }
}

/** Resources of a type, by their ids. */
export const resourcesOf = (stacks: readonly Template[], type: string) =>
  stacks.flatMap((template) =>
    Object.entries(template.findResources(type)).map(([id, { Properties, ...rest }]) => [id, { Properties, ...rest }] as const),
  )

/** Stacks of the local service, by their ids; to be read, and left as they are. */
export const builtTemplates = async <const Id extends string>(ids: readonly Id[]): Promise<Readonly<Record<Id, Template>>> => {
  const { assembly } = await built()
  const read = (id: Id) => Template.fromJSON(JSON.parse(readFileSync(join(assembly, `${id}.template.json`), 'utf8')))
  return Object.fromEntries(ids.map((id) => [id, read(id)])) as Record<Id, Template>
}
