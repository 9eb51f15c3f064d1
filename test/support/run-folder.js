import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for what all suites of a run share: each of them would be slow to make it. */
export default async () => {
  process.env.TEST_RUN_FOLDER = await mkdtemp(join(tmpdir(), 'test-run-'))
}
