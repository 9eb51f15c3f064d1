import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { startAccount } from '#test/support/aws-account.ts'
import { cleanUpEach } from '#test/support/clean-up.ts'

const { directory, cleanUp } = cleanUpEach('ops-credentials')

const COMMAND = ['quotas', '--target', 'aws']

const account = async () => {
  const started = await startAccount()
  cleanUp(started.close)
  return started
}

describe('an operator without an account', () => {
  it.each([
    [[], /^There are no AWS credentials \(.+\)\. Name a profile with --profile, or set AWS_ACCESS_KEY_ID and /],
    [['--profile', 'empty'], /^The profile empty gives no AWS credentials \(.+\)\. Name another one with --profile, /],
  ])('the command says that credentials are missing, and how to give them: %j', async (more, message) => {
    const { ops, asked } = await account()
    const AWS_CONFIG_FILE = join(directory(), 'config')
    await writeFile(AWS_CONFIG_FILE, '[profile empty]\noutput = json\n')
    const missing = { AWS_CONFIG_FILE, AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined }
    const { code, out, err } = await ops([...COMMAND, ...more], missing)
    expect({ code, out, asked }).toEqual({ code: 1, out: '', asked: [] })
    expect(err).toMatch(message)
  })

  it.each([
    ['', 'There are no profiles.'],
    ['[default]\noutput = json\n[profile operator]\nregion = eu-west-1\n', 'The profiles are: default, operator.'],
  ])('the command says that there is no such profile, whatever else is missing: %j', async (config, known) => {
    const { ops } = await account()
    const AWS_CONFIG_FILE = join(directory(), 'config')
    await writeFile(AWS_CONFIG_FILE, config)
    const missing = { AWS_CONFIG_FILE, AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined }
    const err = `There is no profile nosuch on this machine. ${known} Name another one with --profile, or add it with: aws configure --profile nosuch\n`
    for (const more of [missing, { ...missing, AWS_REGION: undefined }])
      expect(await ops([...COMMAND, '--profile', 'nosuch'], more)).toEqual({ code: 1, out: '', err })
  })

  it('the command says that a region is missing', async () => {
    const { ops } = await account()
    expect(await ops(COMMAND, { AWS_REGION: undefined })).toEqual({
      code: 1,
      out: '',
      err: 'No region is set. Set it with --region, in the profile, or in AWS_REGION.\n',
    })
  })
})
