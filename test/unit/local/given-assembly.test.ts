import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { StartFailure } from '#lib/local/engines/engine.ts'
import { givenAssembly } from '#lib/local/synthesise.ts'

const folder = mkdtempSync(join(tmpdir(), 'given-assembly-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('an assembly is accepted only when it was built for the local run', async () => {
  const manifest = (stage: string) =>
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ stackName: `lead-outreach-${stage}-data` }))
  await expect(givenAssembly(join(folder, 'nowhere'))).rejects.toThrow(
    new StartFailure(
      `There is no assembly in ${join(folder, 'nowhere')}. Name a folder that an earlier start has built, such as .local/cdk.out.`,
    ),
  )
  manifest('prod')
  await expect(givenAssembly(folder)).rejects.toThrow('belongs to a deployment. Its functions cannot reach anything on this machine')
  manifest('local')
  expect(await givenAssembly(folder)).toBe(folder)
})
