import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { buildApp } from '#lib/app.ts'
import { buildFunctions } from '#lib/build-functions.ts'
import { bundleName } from '#lib/constructs/bundle.ts'

/** Those that have a default: what is not told holds. */
const OPTIONAL = ['CLOCK_OFFSET_MS']
const VARIABLE = /[("'`]([A-Z][A-Z_]+_(?:NAME|URL|ARN|HOSTS|TIMEZONE|MS))["'`)]\)/g

let folder: string
let names: string[]
let functions: { name: string; variables: string[]; policy: string }[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'needs-'))
  names = await buildFunctions({ outdir: folder })
  const app = buildApp({ context: { bundles: folder }, outdir: join(folder, 'out') })
  functions = app.node.children
    .filter((child) => child instanceof Stack)
    .flatMap((stack) => {
      const template = Template.fromStack(stack)
      const roles = template.findResources('AWS::IAM::Role')
      return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties: { Description, Environment, Role } }) => ({
        name: Description,
        variables: Object.keys(Environment.Variables),
        policy: JSON.stringify(roles[Role['Fn::GetAtt'][0]]),
      }))
    })
})

afterAll(() => rmSync(folder, { recursive: true }))

const bundle = (name: string) => readFileSync(join(folder, bundleName(name), 'index.mjs'), 'utf8')

describe('what a function is given', () => {
  it('is given to every function there is', () => {
    expect(functions.map(({ name }) => name).sort()).toEqual(names)
  })

  it('has every variable that its code asks for', () => {
    for (const { name, variables } of functions) {
      const asked = [...new Set([...bundle(name).matchAll(VARIABLE)].map(([, variable]) => variable!))]
      expect({ name, lacks: asked.filter((variable) => ![...variables, ...OPTIONAL].includes(variable)) }).toEqual({ name, lacks: [] })
    }
  })

  it.each(['by_due', 'by_owner'])('has leave to ask the index %s where its code does', (index) => {
    for (const { name, policy } of functions) {
      const asks = bundle(name).includes(`"${index}"`)
      expect({ name, may: policy.includes(`/index/${index}`) || !asks }).toEqual({ name, may: true })
    }
  })
})
