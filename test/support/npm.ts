import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

export interface NpmSettings {
  /** Content of the user's npm settings file. Default: empty. */
  readonly file?: string
  readonly environment?: Readonly<Record<string, string>>
  /** Folder in which npm runs. Default: the project. */
  readonly cwd?: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const OWN_VARIABLES = /^(npm_|NPM_)/

/** Runs npm without the machine's settings. Its settings file is in `folder`. */
export const npmRun = async (folder: string, args: readonly string[], { file = '', environment = {}, cwd = ROOT }: NpmSettings = {}) => {
  const userconfig = join(folder, 'npmrc')
  writeFileSync(userconfig, file)
  const inherited = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name))
  const env = { ...Object.fromEntries(inherited), npm_config_userconfig: userconfig, ...environment }
  const child = spawn('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}
