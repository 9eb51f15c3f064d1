import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '../..')

/**
 * Each file under `functions/` that exports a handler is a function. @param root the project's folder
 * @returns the paths of these files under `functions/`, sorted: `leads/create` for `leads/create.ts`
 */
export const functionNames = (root = PROJECT): string[] =>
  globSync('**/*.ts', { cwd: join(root, 'functions') })
    .filter((file) => /^export const handler\b/m.test(readFileSync(join(root, 'functions', file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''))
    .sort()

/** Name of a function's bundle: `leads-create` for the function `leads/create`. */
export const bundleName = (name: string): string => name.replaceAll('/', '-')

/**
 * Absolute folder of a function's bundle. `bundles`: the setting of that name, relative to the project folder.
 * @throws Error when it has not been built.
 */
export const bundleFolder = (bundles: string, name: string): string => {
  const folder = resolve(PROJECT, bundles, bundleName(name))
  if (existsSync(resolve(folder, 'index.mjs'))) return folder
  throw new Error(`The bundle of functions/${name} is missing: there is no ${folder}/index.mjs. Run npm run build.`)
}
