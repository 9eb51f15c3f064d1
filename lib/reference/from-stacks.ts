import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../app.ts'
import { buildFunctions } from '../build-functions.ts'
import { alarmsPage } from './alarms.ts'
import { permissionsIn } from './permissions.ts'

interface FromStacks {
  readonly alarms: string
  readonly permissions: string
}

const make = async (): Promise<FromStacks> => {
  const folder = await mkdtemp(join(tmpdir(), 'stacks-'))
  try {
    const bundles = join(folder, 'functions')
    await buildFunctions({ outdir: bundles })
    const app = buildApp({ context: { bundles }, outdir: join(folder, 'assembly'), checked: false })
    const templates = app.synth().stacks.map(({ template }): unknown => template)
    return { alarms: alarmsPage(app), permissions: JSON.stringify(permissionsIn(templates), null, 2) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let made: Promise<FromStacks> | undefined

/** References that are made from the stacks. The stacks need the bundles of all functions, so they are built only once. */
export const fromStacks = (): Promise<FromStacks> => {
  made ??= make()
  return made
}
