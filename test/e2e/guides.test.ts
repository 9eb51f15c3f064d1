import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SourceTextModule } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { START_USAGE } from '#lib/local/options.ts'
import { UPLOAD_USAGE } from '#lib/uploader/options.ts'
import { type Block, blocksOf, type Document, GUIDES, PROJECT } from '#test/support/guides.ts'
import { type Receiver, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService } from '#test/support/service.ts'

/** Info strings of a guide's blocks. docs/CONTRIBUTING.md explains them. */
const RUN = 'sh'
const NOT_RUN = /^sh not-run: *(.*)$/
const OUTPUT = /^(json|text) output$/

const isRun = ({ info }: Block): boolean => info === RUN

const scripts = Object.keys(JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')).scripts)

/** The workspace has its own data, and no history. */
const LEFT_OUT = ['.git', '.local']

/** A folder of links to the project's files, where a guide may write its own files. */
const newWorkspace = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'guides-'))
  const entries = (await readdir(PROJECT)).filter((entry) => !LEFT_OUT.includes(entry))
  await Promise.all(entries.map((entry) => symlink(join(PROJECT, entry), join(folder, entry))))
  return folder
}

let workspace = ''
let service: Service
let receiver: Receiver
/** Shells that are still running. A test that timed out leaves one. */
const shells = new Set<ChildProcess>()
beforeAll(async () => {
  workspace = await newWorkspace()
  receiver = await startReceiver()
  // 11:00 on a Friday in New York, in the folder that the tools take by default.
  service = await startService(['--data', join(workspace, '.local'), '--port', '0', '--now', '2026-11-20T16:00:00Z'])
})
afterAll(async () => {
  // Kills the shells together with all that they have started.
  for (const { pid } of shells) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  await service?.end()
  await receiver?.close()
  await rm(workspace, { recursive: true, force: true })
})

/** The shell ends at the first failing command. Here curl also fails if the answer is 400 or more. A machine may have no curl. */
const PRELUDE = `set -euo pipefail
if command -v curl > /dev/null
then curl() { command curl --fail-with-body "$@"; }
else curl() { node test/support/curl.ts "$@"; }
fi`

const markOf = ({ line }: Block): string => `--- line ${line} ---`

/** Runs the blocks in one shell. @returns what each of them printed */
const run = async (blocks: readonly Block[]) => {
  const script = [PRELUDE, ...blocks.flatMap((block) => [`echo "${markOf(block)}"; echo "${markOf(block)}" >&2`, block.text])].join('\n')
  const variables = {
    API: service.url,
    KEY: service.apiKey,
    INGEST_URL: `${service.url}/api/ingest-lead/${service.openIngestId}/upsert/`,
    AGENT: service.agentUrl,
    RECEIVER: receiver.url,
  }
  // The variables of the npm that runs the tests would mislead the npm of a guide.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const shell = spawn('bash', ['-c', script], {
    cwd: workspace,
    env: { ...Object.fromEntries(inherited), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  shells.add(shell)
  const [out, err, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')])
  shells.delete(shell)
  const outputOf = (block: Block): string => out.split(`${markOf(block)}\n`)[1]?.split(/^--- line \d+ ---$/m)[0] ?? ''
  return { failure: code === 0 ? '' : `exit code ${code}\n${out.slice(-4000)}\n${err.slice(-4000)}`, outputOf }
}

const withoutSpace = (line: string): string => line.replace(/\s/g, '')

/** Lines of an example that the output lacks. White space, final commas and lines of brackets do not matter. */
const missingFrom = (output: string, example: string): string[] =>
  example.split('\n').filter((line) => {
    const wanted = withoutSpace(line).replace(/,$/, '')
    return /\w/.test(wanted) && !withoutSpace(output).includes(wanted)
  })

const running = GUIDES.filter((guide) => blocksOf(guide).some(isRun)).map((guide) => [guide.path, guide] as const)

describe('the commands of a guide', () => {
  it.each(running)('the commands in %s work and print the output shown there', async (_, guide) => {
    const blocks = blocksOf(guide)
    const { failure, outputOf } = await run(blocks.filter(isRun))
    expect(failure).toBe('')
    for (const [at, block] of blocks.entries()) {
      if (!OUTPUT.test(block.info)) continue
      const before = blocks.slice(0, at).findLast(isRun)
      expect(missingFrom(before ? outputOf(before) : '', block.text)).toEqual([])
    }
  })
})

const toolHelp = async (...args: readonly string[]): Promise<string> => {
  const tool = spawn(process.execPath, ['bin/ops.ts', ...args, '--help'], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] })
  return text(tool.stdout)
}

/** The commands that a help lists. */
const commandsIn = (help: string): string[] =>
  [...(help.split(/^Commands:$/m)[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!)

/** The first words after `npm run ops --`: a command, or a group and its command. */
const opsCommandsIn = (content: string): string[][] =>
  [...content.matchAll(/npm (?:-s )?run ops -- ([a-z-]+)(?: ([a-z-]+))?/g)].map(([, ...words]) =>
    words.filter((word) => word !== undefined),
  )

const scriptsIn = (content: string): string[] => [
  ...[...content.matchAll(/npm (?:-s )?run ([a-z][a-z-]*)/g)].map(([, name]) => name!),
  ...[...content.matchAll(/npm (?:-s )?(start|test)\b/g)].map(([, name]) => name!),
]

const withPath = GUIDES.map((guide) => [guide.path, guide] as const)

describe('a program in a guide', () => {
  const programs = GUIDES.flatMap((guide) =>
    blocksOf(guide)
      .filter(({ info }) => info === 'js')
      .map(({ line, text: program }) => [`${guide.path}:${line}`, program] as const),
  )

  it.each(programs)('a program in a guide parses as a module: %s', (_, program) => {
    expect(() => new SourceTextModule(program)).not.toThrow()
  })
})

describe('a name in a guide', () => {
  it.each(withPath)('each command in %s that is not run has a reason', (_, guide: Document) => {
    const infos = blocksOf(guide)
      .map(({ info }) => info)
      .filter((info) => /^(sh|bash|shell|console)\b/.test(info) && info !== RUN)
    expect(infos.filter((info) => (NOT_RUN.exec(info)?.[1] ?? '').length < 10)).toEqual([])
  })

  it.each(withPath)('the guide %s names only scripts of package.json', (_, guide: Document) => {
    expect(scriptsIn(guide.text).filter((name) => !scripts.includes(name))).toEqual([])
  })

  it.each([
    ['npm start', /npm (?:-s )?start --([^`\n]*)/g, START_USAGE],
    ['npm run upload', /npm run upload --([^`\n]*)/g, UPLOAD_USAGE],
  ])('the guides name only options that the help of %s lists', (_, command, help) => {
    const lines = GUIDES.flatMap(({ text: content }) => [...content.matchAll(command)].map(([, rest]) => rest!))
    const named = lines.flatMap((line) => [...line.matchAll(/(?<= )--[a-z-]+/g)].map(([flag]) => flag))
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((flag) => !help.includes(`  ${flag} `))).toEqual([])
  })

  it('the guides name only simulations that exist', () => {
    const named = GUIDES.flatMap(({ text: content }) => [...content.matchAll(/npm run simulate -- ([a-z-]+)/g)].map(([, name]) => name!))
    expect(named.filter((name) => !existsSync(join(PROJECT, 'test/simulation', `${name}.ts`)))).toEqual([])
  })

  it('the guides name only ops commands that the help lists', async () => {
    const commands = commandsIn(await toolHelp())
    const groups = new Map<string, string[]>()
    for (const command of ['keys', 'lead', 'dnc']) groups.set(command, commandsIn(await toolHelp(command)))
    const named = GUIDES.flatMap(({ text: content }) => opsCommandsIn(content))
    expect(named.length).toBeGreaterThan(10)
    expect(
      named.filter(([name = '', of = '']) => !commands.includes(name) || (groups.has(name) && groups.get(name)?.includes(of) !== true)),
    ).toEqual([])
  })
})
