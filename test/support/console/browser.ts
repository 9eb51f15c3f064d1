import { execFile } from 'node:child_process'
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { until } from '../eventually.ts'

const UNPACK = fileURLToPath(new URL('unpack-chromium.ts', import.meta.url))

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Names the fonts that came with the browser. It looks in `/tmp` otherwise, and without any font it crashes. */
const useOwnFonts = async (half: string, folder: string): Promise<void> => {
  const file = join(half, 'fonts/fonts.conf')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('>/tmp/', `>${join(folder, 'fonts')}/`))
}

/** The folder of the browser. The first suite of a run unpacks it, in a folder that gets its name at the end. */
const unpacked = async (): Promise<string> => {
  const home = join(`${process.env['TEST_RUN_FOLDER']}`, 'chromium')
  const [half, folder] = [join(home, 'half'), join(home, 'whole')]
  const isFirst = await mkdir(home).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await mkdir(half)
    await promisify(execFile)(process.execPath, ['--no-warnings', UNPACK], { env: { ...process.env, TMPDIR: half } })
    await useOwnFonts(half, folder)
    await rename(half, folder)
  }
  await until(() => exists(folder), Boolean)
  return folder
}

const NEEDS =
  'Chromium cannot start here. The tests of the console need Linux x64, on Debian with the packages libnss3, libnspr4 and libexpat1, or the path of another Chromium in the variable CHROMIUM.'

/** Starts the browser of the tests: the one that npm has installed, or the one that `CHROMIUM` names. @throws Error with a sentence */
export const startBrowser = async (): Promise<Browser> => {
  const own = process.env['CHROMIUM']
  try {
    const folder = own === undefined ? await unpacked() : ''
    return await chromium.launch({
      executablePath: own ?? join(folder, 'chromium'),
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--headless=shell', '--font-render-hinting=none'],
      ...(own === undefined && {
        env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
      }),
    })
  } catch (error) {
    throw new Error(NEEDS, { cause: error })
  }
}
