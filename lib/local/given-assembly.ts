import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from './engines/start-failure.ts'

/** Prefix of the local run's stack names in the manifest. */
const LOCAL = '"lead-outreach-local-'

/** Checks a folder that an earlier start built. @throws StartFailure when it holds no assembly of the local run */
export const givenAssembly = async (folder: string): Promise<string> => {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => undefined)
  if (manifest === undefined)
    throw new StartFailure(`There is no assembly in ${folder}: name a folder that an earlier start has built, as .local/cdk.out.`)
  if (!manifest.includes(LOCAL)) {
    throw new StartFailure(
      `The assembly in ${folder} is of a deployment, whose functions reach nobody on this machine: name one that an earlier start has built, as .local/cdk.out.`,
    )
  }
  return folder
}
