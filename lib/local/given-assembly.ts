import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from './engines/start-failure.ts'

/** As the stacks of the local run are named. */
const LOCAL = '"lead-outreach-local-'

/** A folder that was built before. @throws StartFailure when there is none of the local run in it */
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
