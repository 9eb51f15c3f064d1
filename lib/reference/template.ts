import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { buildApp } from '../app.ts'
import { bundleName, functionNames } from '../constructs/bundle.ts'

const Template = v.object({
  Resources: v.record(v.string(), v.object({ Type: v.string(), Properties: v.optional(v.record(v.string(), v.unknown()), {}) })),
})

/** Empty bundles: the templates do not depend on their content. */
const emptyBundles = (folder: string): void => {
  for (const name of functionNames()) {
    mkdirSync(join(folder, bundleName(name)), { recursive: true })
    writeFileSync(join(folder, bundleName(name), 'index.mjs'), '')
  }
}

/** A deployment with default settings. */
export interface Deployed {
  /** Number of resources of a CloudFormation type. */
  readonly count: (type: string) => number
  /** Number of queues that functions consume. */
  readonly queues: number
  /** Memory of a function in megabytes, by its folder. */
  readonly memoryOf: (name: string) => number
}

/** @throws Error when there is no function with this name */
export const readDeployedTemplates = (): Deployed => {
  const home = mkdtempSync(join(tmpdir(), 'lead-outreach-reference-'))
  try {
    emptyBundles(join(home, 'bundles'))
    const app = buildApp({ outdir: join(home, 'cdk.out'), context: { bundles: join(home, 'bundles') }, checked: false })
    const { stacks } = app.synth()
    const resources = stacks.flatMap(({ template }) => Object.values(v.parse(Template, template).Resources))
    return {
      count: (type) => resources.filter(({ Type }) => Type === type).length,
      queues: resources.filter(({ Type, Properties }) => Type === 'AWS::Lambda::EventSourceMapping' && !Properties['StartingPosition'])
        .length,
      memoryOf: (name) => {
        const found = resources.find(({ Type, Properties }) => Type === 'AWS::Lambda::Function' && Properties['Description'] === name)
        return v.parse(v.number(), found?.Properties['MemorySize'])
      },
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
