import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const PROJECT = resolve(import.meta.dirname, '../..')

/** Name of a function's bundle, from the folder under `functions/`: `leads-create` for `leads/create`. */
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
