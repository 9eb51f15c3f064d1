import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { START_USAGE } from '#lib/local/options.ts'
import { isAlive, nameOfProcess } from '#lib/local/processes/process-name.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { eventually } from '#test/support/eventually.ts'
import { npmRun } from '#test/support/npm.ts'

const { directory } = cleanUpEach('prepare')
const manifest: Record<string, Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8'))
const scripts = manifest['scripts']!
const others = Object.keys(scripts).filter((name) => !/^(pre)?(start|test)$/.test(name))

let folder = ''
beforeEach(() => {
  folder = directory()
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, join(folder, file))
})

/** The lock file that npm writes when it has installed these groups of packages. */
const installed = (...groups: readonly string[]): string =>
  JSON.stringify({
    packages: Object.fromEntries(groups.flatMap((group) => Object.keys(manifest[group]!)).map((name) => [`node_modules/${name}`, {}])),
  })
const LOCKS = {
  start: installed('dependencies'),
  test: installed('dependencies', 'devDependencies'),
  all: installed('dependencies', 'devDependencies', 'peerDependencies'),
}
type Level = keyof typeof LOCKS

const markInstalled = (level: Level, time = new Date(Date.now() + 60_000)): void => {
  const file = join(folder, 'node_modules/.package-lock.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, LOCKS[level])
  utimesSync(file, time, time)
}

/** Writes down its arguments, fails as `NPM_FAILS` says, and otherwise does as if it had installed what it was asked for. */
const NPM = `#!/bin/sh
echo "$@" >> npm-calls
if [ "$1" = ping ]; then [ -z "$NO_NETWORK" ] || { echo "npm error code $NO_NETWORK" >&2; exit 1; }; exit 0; fi
if [ -n "$NPM_HANGS" ]; then echo $$ > npm-pid; exec sleep 600; fi
[ -z "$NPM_FAILS" ] || { echo "npm error $NPM_FAILS" >&2; exit 1; }
case "$*" in *--omit=dev*) level=start;; *--omit=peer*) level=test;; *) level=all;; esac
mkdir -p node_modules && cp "$level.json" node_modules/.package-lock.json
`

const program = (file: string, text: string): string => {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
  return file
}

/** An environment with a fake npm. */
const withFakeNpm = (environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const tools = join(folder, 'tools')
  mkdirSync(tools, { recursive: true })
  program(join(tools, 'npm'), NPM)
  for (const [name, text] of Object.entries(LOCKS)) writeFileSync(join(folder, `${name}.json`), text)
  const PATH = [tools, dirname(process.execPath), process.env['PATH']].join(delimiter)
  return { ...process.env, npm_node_execpath: '', ...environment, PATH }
}

/** Runs the preparation with a fake npm. `npm` are the installations that it was asked for. */
const prepare = (level: 'start' | 'test', environment: Readonly<Record<string, string>> = {}) => {
  const env = withFakeNpm(environment)
  const { status, stderr } = spawnSync('node', ['bin/prepare.cjs', level], { cwd: folder, env, encoding: 'utf8' })
  const calls = join(folder, 'npm-calls')
  const npm = existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').slice(0, -1) : []
  return { status, said: stderr, npm: npm.filter((call) => !call.startsWith('ping')) }
}

describe('the preparation of npm start and npm test', () => {
  it('the preparation runs before npm start and npm test', () => {
    expect([scripts['start'], scripts['pretest']]).toEqual(['exec sh bin/local.sh', 'node bin/prepare.cjs test'])
    expect(readFileSync('bin/local.sh', 'utf8')).toMatch(/^node bin\/prepare\.cjs start && exec node bin\/local\.ts "\$@"$/m)
  })

  it.each([['--help'], ['--port 0 --help']])('npm start prints its help on a fresh clone, and installs nothing: %s', async (args) => {
    mkdirSync(join(folder, 'lib/local'), { recursive: true })
    cpSync('lib/local/start-help.txt', join(folder, 'lib/local/start-help.txt'))
    // If it did install, it would fail at once.
    const environment = { npm_config_cache: join(folder, 'empty'), npm_config_registry: 'http://127.0.0.1:9' }
    const started = await npmRun(folder, ['-s', 'start', '--', ...args.split(' ')], { cwd: folder, environment })
    expect(started).toEqual({ code: 0, out: START_USAGE, err: '' })
  })

  it('the preparation of npm start installs on a fresh clone only what it needs, and says so', () => {
    const { status, said, npm } = prepare('start')
    expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/^Installing .*\nInstalled in \d+ s\.\n$/) })
    expect(npm).toEqual([expect.stringMatching(/^ci .*--omit=dev --omit=peer/)])
  })

  it.each(['prepare.cjs', 'ready.cjs'])('the preparation links the Node.js that npm 10 has installed without a link: %s', (program) => {
    markInstalled('all')
    const name = `node-${process.platform}-${process.arch}/bin`
    for (const part of [name, '.bin']) mkdirSync(join(folder, 'node_modules', part), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'node'), 'Node 24')
    expect(spawnSync(process.execPath, [`bin/${program}`, 'start'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    })
    expect(readFileSync(join(folder, 'node_modules/.bin/node'), 'utf8')).toBe('Node 24')
  })

  it('the preparation of npm test installs on a fresh clone without the tools of developers', () => {
    expect(prepare('test')).toMatchObject({ status: 0, npm: [expect.stringMatching(/^ci .*--include=dev --omit=peer/)] })
  })

  it('the preparation adds the packages of the tests when npm test comes after npm start', () => {
    markInstalled('start')
    expect(prepare('test')).toMatchObject({ status: 0, npm: [expect.stringMatching(/^install --no-save .*--include=dev --omit=peer/)] })
  })

  it.each<[Level, 'start' | 'test']>([
    ['start', 'start'],
    ['test', 'start'],
    ['all', 'test'],
  ])('the preparation installs nothing when the packages for %s are there and npm %s needs no more', (present, asked) => {
    markInstalled(present)
    expect(prepare(asked)).toEqual({ status: 0, said: '', npm: [] })
  })

  it('the preparation installs again what was there when the lock is newer', () => {
    markInstalled('all', new Date(0))
    expect(prepare('start')).toMatchObject({
      status: 0,
      said: expect.stringMatching(/^Installing the packages again, .* \(about 1205 MB instead of 480 MB\) …\n/),
      npm: [expect.stringMatching(/^ci .*--include=dev --include=peer/)],
    })
  })

  it('the guides state the sizes of the packages that the preparation shows', () => {
    const guide = readFileSync('docs/CONTRIBUTING.md', 'utf8')
    const sizeOf = (group: string): number => Number(new RegExp(`^\\| \`${group}\` .*\\| (\\d+) +\\|$`, 'm').exec(guide)?.[1])
    const shown = ({ said }: ReturnType<typeof prepare>): number => Number(/about (\d+) MB/.exec(said)?.[1])
    const [start, forTests] = [prepare('start'), prepare('test')].map(shown)
    markInstalled('all', new Date(0))
    const groups = ['dependencies', 'devDependencies', 'peerDependencies'].map(sizeOf)
    const sums = groups.map((_, at) => groups.slice(0, at + 1).reduce((sum, size) => sum + size))
    expect([start, forTests, shown(prepare('start'))]).toEqual(sums)
    expect(readFileSync('README.md', 'utf8')).toMatch(new RegExp(`The packages take about ${start} MB`))
  })

  it('the preparation installs nothing when node_modules is a link', () => {
    mkdirSync(join(folder, 'theirs'))
    writeFileSync(join(folder, 'theirs', '.package-lock.json'), LOCKS.all)
    symlinkSync('theirs', join(folder, 'node_modules'))
    expect(prepare('start')).toEqual({ status: 0, said: '', npm: [] })
  })

  it('the preparation shows the error of npm, and leaves nothing that looks installed', () => {
    markInstalled('all', new Date(0))
    const { status, said } = prepare('start', { NPM_FAILS: 'no space left on device' })
    expect({ status, said }).toEqual({
      status: 1,
      said: expect.stringContaining('npm error no space left on device\nThe packages cannot be installed: npm says above why.'),
    })
    expect(existsSync(join(folder, 'node_modules/.package-lock.json'))).toBe(false)
  })

  it('the preparation installs from the cache of npm when the registry does not answer', () => {
    const { status, said, npm } = prepare('start', { NO_NETWORK: 'EAI_AGAIN' })
    expect({ status, npm }).toEqual({ status: 0, npm: [expect.stringMatching(/^ci .*--offline$/)] })
    expect(said).toContain('The npm registry does not answer (EAI_AGAIN). Trying the cache of npm …\n')
  })

  it('the preparation says that there is no network when the cache of npm lacks packages too', () => {
    const { status, said } = prepare('start', { NO_NETWORK: 'ECONNREFUSED', NPM_FAILS: 'code ENOTCACHED' })
    expect({ status, said }).toEqual({ status: 1, said: expect.stringContaining('the npm registry does not answer (ECONNREFUSED), and') })
    expect(said).not.toContain('ENOTCACHED')
  })

  it.each(['the reader of its output', 'its shell'])('the preparation ends npm when %s is gone', async (gone) => {
    const env = withFakeNpm({ NPM_HANGS: 'true' })
    mkdirSync(join(folder, 'node_modules'))
    // A second command keeps the shell from becoming the preparation itself.
    const shell = spawn('sh', ['-c', 'node bin/prepare.cjs start; true'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
    const pid = join(folder, 'npm-pid')
    await eventually(() => existsSync(pid) && readFileSync(pid, 'utf8').endsWith('\n'))
    const npm = nameOfProcess(Number(readFileSync(pid, 'utf8')))
    if (gone === 'its shell') shell.kill('SIGKILL')
    else shell.stderr.destroy()
    await eventually(() => !isAlive(npm))
  })

  it.each(['v16.20.0', 'v18.20.8'])('the preparation refuses Node.js %s before anything is installed', (version) => {
    const npm_node_execpath = program(join(folder, 'old-node'), `#!/bin/sh\necho ${version}\n`)
    expect(prepare('start', { npm_node_execpath })).toEqual({
      status: 1,
      said: `This service needs Node.js 20 or newer, but this is ${version}. Nothing was installed. Install a newer one, from https://nodejs.org for example, and start again.\n`,
      npm: [],
    })
  })

  it('the preparation works with Node.js 20', () => {
    const npm_node_execpath = program(join(folder, 'old-node'), '#!/bin/sh\necho v20.0.0\n')
    expect(prepare('start', { npm_node_execpath })).toMatchObject({ status: 0, npm: [expect.any(String)] })
  })
})

describe('a script on a fresh clone', () => {
  it.each([
    ['ops', 'npm ci or npm start'],
    ['simulate', 'npm ci or npm test'],
    ['lint', 'npm ci'],
  ])('a script on a fresh clone names the commands that install its packages, and exits with 1: npm run %s', async (name, commands) => {
    const err = `This command needs packages that are not installed. Run ${commands} first.\n`
    expect(await npmRun(folder, ['-s', 'run', name, '--', 'get', 'users'], { cwd: folder })).toEqual({ code: 1, out: '', err })
  })

  it('a script asks for npm ci when it needs more packages than npm start', async () => {
    markInstalled('start')
    const err = 'This command needs packages that are not installed. Run npm ci first.\n'
    expect(await npmRun(folder, ['-s', 'run', 'lint'], { cwd: folder })).toEqual({ code: 1, out: '', err })
  })

  it.each(others)('a script checks first whether the packages are installed: %s', (name) => {
    expect(scripts[name]).toMatch(/^node bin\/ready\.cjs (test |all )?&& /)
  })
})

describe('the packages', () => {
  it('the packages come with a Node.js or need one, as the platform has it', async () => {
    const { problemOfMachine } = await import(join(process.cwd(), 'bin/machine.cjs'))
    const on = (platform: string, arch: string, version: string) => problemOfMachine({ platform, arch, version })
    expect(on('linux', 'x64', 'v20.0.0')).toBeUndefined()
    expect(on('linux', 'arm64', 'v20.0.0')).toBeUndefined()
    expect(on('darwin', 'x64', 'v20.0.0')).toBeUndefined()
    expect(on('darwin', 'arm64', 'v24.2.0')).toBeUndefined()
    expect(on('darwin', 'arm64', 'v24.1.0')).toMatch(
      /^This service needs Node\.js 24\.2 or newer on darwin-arm64, for which npm brings none,/,
    )
    expect(on('win32', 'x64', 'v24.2.0')).toMatch(/^On Windows, the service runs inside WSL/)
  })

  it('the packages are locked without addresses', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toContain('"resolved"')
  })
})
