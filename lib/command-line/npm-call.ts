import { readFileSync } from 'node:fs'
import { join, parse } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** A script of `package.json` that npm runs. */
export interface NpmCall {
  readonly script: string
  /** The arguments that npm passed to the script. */
  readonly args: readonly string[]
  /** The value of an `npm_config_…` variable, if this npm command line set it. Undefined when it was set before, or not at all. */
  given(variable: string): string | undefined
}

/** The parts of a process that are needed here. */
interface Started {
  readonly env: Environment
  readonly argv: readonly string[]
  readonly ppid: number
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The options in an npm configuration file, as names of variables. */
const setInFile = (file: string): string[] =>
  textOf(file)
    .split('\n')
    .map((line) => (line.split('=')[0] ?? '').trim().replace('[]', ''))
    .map((name) => `npm_config_${name.replaceAll('-', '_')}`)

const environmentOf = (pid: number): string[] => textOf(`/proc/${pid}/environ`).split('\0')

const parentOf = (pid: number): number => Number(/^PPid:\t(\d+)$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)

/** Names of the variables with which npm itself was started. npm is the nearest ancestor that does not run the script. */
const setBefore = (ppid: number, script: string): string[] => {
  let pid = ppid
  while (pid > 1 && environmentOf(pid).includes(`npm_lifecycle_event=${script}`)) pid = parentOf(pid)
  return environmentOf(pid).map((setting) => (setting.split('=')[0] ?? '').toLowerCase())
}

/** @returns undefined when npm's script did not start this program, but another one */
export const npmCallOf = ({ env: environment, argv, ppid }: Started): NpmCall | undefined => {
  const script = environment['npm_lifecycle_event']
  const [, program = '', ...args] = argv
  // npm start runs bin/local.sh, which runs bin/local.ts.
  if (script === undefined || !environment['npm_lifecycle_script']?.includes(`/${parse(program).name}.`)) return undefined
  const home = environment['npm_config_local_prefix']
  const files = [environment['npm_config_userconfig'], environment['npm_config_globalconfig'], home && join(home, '.npmrc')]
  const before = new Set([...files.flatMap((file) => (file ? setInFile(file) : [])), ...setBefore(ppid, script)])
  return { script, args, given: (variable) => (before.has(variable) ? undefined : environment[variable]) }
}
