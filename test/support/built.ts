import { execFile } from 'node:child_process'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Built } from '#lib/local/synthesise.ts'

const BUILD = fileURLToPath(new URL('build-service.ts', import.meta.url))
const LIMIT_MS = 90_000

/** Builds in a child process: inside the tests' process, every suite would load CDK again, which is slow. */
const build = async (folder: string): Promise<Built> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', BUILD, folder])
  return JSON.parse(stdout)
}

/**
 * The service's bundles and templates. The first suite of a run that needs them builds them; all suites share them, read-only.
 * @throws Error when the build fails
 */
export const built = async (): Promise<Built> => {
  const folder = join(`${process.env['TEST_RUN_FOLDER']}`, 'built')
  const report = join(folder, 'report.json')
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const made = await build(folder).catch((error: Error) => ({ failure: `${error.message}` }))
    await writeFile(`${report}.new`, JSON.stringify(made))
    await rename(`${report}.new`, report)
  }
  for (const end = Date.now() + LIMIT_MS; ; await sleep(50)) {
    const written = await readFile(report, 'utf8').catch(() => undefined)
    if (written === undefined && Date.now() < end) continue
    const { failure, ...made } = JSON.parse(written ?? '{"failure":"The build takes too long."}')
    if (failure) throw new Error(failure)
    return made
  }
}
