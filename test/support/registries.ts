import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRegistries, findOnRegistries } from '#shared/registries/registry-store.ts'
import { phoneHash } from '#shared/stops/phone-hash.ts'
import { cleanUpEach } from './clean-up.ts'
import { startOps } from './ops.ts'
import { opsWorld } from './ops-world.ts'

/** The day at which the clock of an operator's world stands. */
export const TODAY = '2026-11-20'

/** The operator's tool with files of do-not-call registries. */
export const registryWorld = () => {
  const { tool } = opsWorld()
  const { directory } = cleanUpEach('registry')
  const file = (content: string | Uint8Array, name = 'list.txt'): string => {
    const path = join(directory(), name)
    writeFileSync(path, content)
    return path
  }
  return {
    tool,
    directory,
    file,
    importing: (list: string, content: string | Uint8Array, args: readonly string[] = [], asOf = TODAY) =>
      tool().ops(['registry', 'import', file(content), '--list', list, '--as-of', asOf, ...args]),
  }
}

/** Undefined: the list was never imported. */
export const isOnRegistry = async (list: string, phone: string): Promise<boolean | undefined> => {
  const [found] = await findOnRegistries([list], await phoneHash(phone))
  return found!.as_of === null ? undefined : found!.isListed
}

export const registryNamed = async (list: string) => (await allRegistries()).find((one) => one.list === list)

/** Imports one list into the table of the present world. A full list may be of any size. */
export const importList = async (
  list: string,
  numbers: readonly string[],
  asOf = TODAY,
  args: readonly string[] = ['--smaller'],
): Promise<void> => {
  const tool = await startOps()
  try {
    const file = join(tool.directory, 'list.txt')
    writeFileSync(file, numbers.map((number) => `${number.replace('+1', '')}${args.includes('--changes') ? `,${asOf},A` : ''}\n`).join(''))
    const { code, err } = await tool.ops(['registry', 'import', file, '--list', list, '--as-of', asOf, ...args])
    if (code !== 0) throw new Error(err)
  } finally {
    await tool.stop()
  }
}
