import { spawnSync } from 'node:child_process'
import { describe, expect, it } from '@jest/globals'
import { cdkArguments } from '#lib/command-line/cdk-arguments.ts'
import type { NpmCall } from '#lib/command-line/npm-call.ts'
import { optionsIn, swallowedBy } from '#lib/command-line/swallowed-options.ts'
import { START_USAGE } from '#lib/local/options.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'
import { type NpmSettings, npmRun } from '#test/support/npm.ts'

const { directory } = cleanUpEach('npm')
const npm = (args: readonly string[], settings?: NpmSettings) => npmRun(directory(), args, settings)

describe('an option that npm takes for itself', () => {
  it.each([
    ['run ops redrive calls --dry-run', 'npm run ops -- redrive calls --dry-run'],
    ['run ops erase +12125550001 --dry-run --yes', 'npm run ops -- erase +12125550001 --dry-run --yes'],
    ['start --memory --now=2026-11-20T16:00:00Z', 'npm start -- --memory --now=2026-11-20T16:00:00Z'],
    ['start --port 0', 'npm start -- --port 0'],
    ['run upload leads.csv --source demo', 'npm run upload -- leads.csv --source demo'],
    ['run simulate races --races 5', 'npm run simulate -- races --races 5'],
    ['run simulate --races 5', 'npm run simulate -- NAME --races 5'],
  ])('an option that npm takes for itself is refused with the intended command: npm %s', async (given, meant) => {
    const { code, err } = await npm(['-s', ...given.split(' ')])
    expect({ code, err: err.split('\n').filter((line) => line.startsWith('  npm ')) }).toEqual({ code: 2, err: [`  ${meant}`] })
    expect(err).toContain('so nothing was done')
  })

  it('an option that npm takes from a file of its own or from the environment is ignored', async () => {
    const folder = ['--', 'get', 'users', '--data', directory()]
    for (const settings of [
      { file: 'json = true\nyes=true\n' },
      { environment: { NPM_CONFIG_JSON: 'true', npm_config_dry_run: 'true' } },
    ]) {
      const { code, err } = await npm(['-s', 'run', 'ops', ...folder], settings)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^No local service runs/) })
    }
  })
})

const call = (given: Record<string, string>, args: readonly string[] = []): NpmCall => ({
  script: 'start',
  args,
  given: (variable) => given[variable],
})

describe('the message about options that npm took', () => {
  it('the message about options that npm took names each option, and quotes values for the shell', () => {
    expect(swallowedBy(call({ npm_config_data: 'my data', npm_config_twice: 'true' }), optionsIn(START_USAGE))).toBe(
      "npm took --data, --twice for itself, so nothing was done. Write -- before the options of the command:\n\n  npm start -- --data='my data' --twice\n\nCheck the command before you run it: npm also takes mistyped options, and these are missing here.\n",
    )
  })

  it.each([[['0', '2026-11-20T16:00:00Z', 'here']], [['here', '2026-11-20T16:00:00Z', '0']]])(
    'the message about options that npm took gives each option the value of its form: %j',
    (args) => {
      const given = { npm_config_port: 'true', npm_config_data: 'true', npm_config_now: 'true' }
      expect(swallowedBy(call(given, args), optionsIn(START_USAGE))).toContain(
        'npm start -- --port 0 --data here --now 2026-11-20T16:00:00Z\n',
      )
    },
  )

  it('the message about options that npm took leaves values open when it cannot tell their options', () => {
    const given = { npm_config_data: 'true', npm_config_assembly: 'true' }
    expect(swallowedBy(call(given, ['there', 'here']), optionsIn(START_USAGE))).toContain('npm start -- there here --data … --assembly …\n')
  })

  it('there is no message when npm took no option or does not run the command', () => {
    expect(swallowedBy(call({ npm_config_cache: '/root/.npm' }), optionsIn(START_USAGE))).toBeUndefined()
    expect(swallowedBy(undefined, optionsIn(START_USAGE))).toBeUndefined()
  })

  it('the message about options that npm took covers all options of the local service', () => {
    const names = ['port', 'data', 'memory', 'now', 'assembly', 'agent', 'public-url', 'twice', 'time-limits', 'verbose', 'json', 'help']
    expect(optionsIn(START_USAGE).map(({ name }) => name)).toEqual(names)
  })
})

describe('a deployment with an option that npm takes for itself', () => {
  it.each([
    [['deploy', '--all', 'stage=staging'], { npm_config_context: 'true' }, 'npm run deploy -- --context stage=staging'],
    [['destroy', '--all', 'staging'], { npm_config_stage: 'true' }, 'npm run destroy -- --stage staging'],
    [['diff', 'Data', 'staging'], { npm_config_stage: 'true' }, 'npm run diff -- Data --stage staging'],
    [['synth', '--quiet', 'staging'], { npm_config_stage: 'true' }, 'npm run synth -- --stage staging'],
    [['destroy', '--all'], { npm_config_stage: '' }, 'npm run destroy -- --stage …'],
    [['deploy', '--all'], { npm_config_execute: '' }, 'npm run deploy -- --no-execute'],
  ])('a deployment with an option that npm takes for itself is refused with the intended command: %j', async (args, taken, meant) => {
    const [script = ''] = args
    const env = { ...process.env, npm_lifecycle_event: script, npm_lifecycle_script: `node bin/cdk.ts ${script}`, ...taken }
    const { status, stderr } = spawnSync(process.execPath, ['bin/cdk.ts', ...args], { env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(`\n\n  ${meant}\n`) })
  })
})

describe('the option --stage of a deployment', () => {
  it.each([
    [
      ['--all', '--stage', 'staging', '--force'],
      ['--all', '--force', '--context', 'stage=staging'],
    ],
    [
      ['--stage=staging', 'Data'],
      ['Data', '--context', 'stage=staging'],
    ],
    [
      ['--context', 'stage=staging'],
      ['--context', 'stage=staging'],
    ],
    [
      ['-c', 'stage=staging'],
      ['-c', 'stage=staging'],
    ],
    [['Data'], ['Data']],
  ])('the option --stage of a deployment becomes the context of cdk: %j', (given, passed) => {
    expect(cdkArguments('deploy', given)).toEqual(passed)
  })

  it.each([
    [['--stage'], '--stage needs the name of a stage, such as --stage staging.'],
    [['--stage', '--all'], '--stage needs the name of a stage, such as --stage staging.'],
    [['--stage='], '--stage needs the name of a stage, such as --stage staging.'],
    [['--stages', 'staging'], '--stages is not an option of this command. Write --stage NAME.'],
    [['--staging'], '--staging is not an option of this command. Write --stage NAME.'],
    [['--stage', 'a', '--stage=b'], 'The stage is named more than once. Write --stage NAME once.'],
    [['--stage', 'a', '-c', 'stage=b'], 'The stage is named more than once. Write --stage NAME once.'],
    [['--stage=a', '--context=stage=b'], 'The stage is named more than once. Write --stage NAME once.'],
    [['--all'], 'destroy needs the stage to remove: --stage NAME.'],
  ])('an unclear stage is refused before anything is removed: %j', (given, message) => {
    expect(() => cdkArguments('destroy', given)).toThrow(message)
  })
})
