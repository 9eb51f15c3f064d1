import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as v from 'valibot'

const templateSchema = v.object({
  Resources: v.optional(
    v.record(
      v.string(),
      v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}), Condition: v.optional(v.string()) }),
    ),
    {},
  ),
  Outputs: v.optional(
    v.record(
      v.string(),
      v.object({ Value: v.unknown(), Export: v.optional(v.object({ Name: v.unknown() })), Condition: v.optional(v.string()) }),
    ),
    {},
  ),
  Parameters: v.optional(v.record(v.string(), v.object({ Default: v.optional(v.unknown()) })), {}),
  Conditions: v.optional(v.record(v.string(), v.unknown()), {}),
})

const manifestSchema = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(
        v.object({ templateFile: v.optional(v.string()), stackName: v.optional(v.string()), file: v.optional(v.string()) }),
        {},
      ),
    }),
  ),
})

const assetsSchema = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: v.optional(v.string()), packaging: v.optional(v.string()) }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
})

export type Template = v.InferOutput<typeof templateSchema>

export interface Stack {
  readonly name: string
  readonly template: Template
}

export interface CloudAssembly {
  readonly stacks: readonly Stack[]
  /** Absolute folders of the zipped assets, by the object key of a deployment's upload. */
  readonly assetFolders: ReadonlyMap<string, string>
}

const readJson = <const Schema extends v.GenericSchema>(schema: Schema, file: string): v.InferOutput<Schema> => {
  try {
    return v.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new Error(`The synthesised app cannot be read from ${file}.`, { cause })
  }
}

/** Reads the output of `cdk synth`. @throws Error when a file is missing or malformed */
export const readAssembly = (folder: string): CloudAssembly => {
  const stacks: Stack[] = []
  const assetFolders = new Map<string, string>()
  for (const [id, { type, properties }] of Object.entries(readJson(manifestSchema, join(folder, 'manifest.json')).artifacts)) {
    if (type === 'aws:cloudformation:stack' && properties.templateFile !== undefined) {
      stacks.push({ name: properties.stackName ?? id, template: readJson(templateSchema, join(folder, properties.templateFile)) })
    }
    if (type !== 'cdk:asset-manifest' || properties.file === undefined) continue
    for (const { source, destinations } of Object.values(readJson(assetsSchema, join(folder, properties.file)).files)) {
      if (source.packaging !== 'zip' || source.path === undefined) continue
      for (const { objectKey } of Object.values(destinations)) assetFolders.set(objectKey, resolve(folder, source.path))
    }
  }
  return { stacks, assetFolders }
}
