import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startDynamodb } from '#lib/local/engines/dynamodb.ts'

/** A disk in memory, where there is one: on another disk, each write takes ten times as long. */
const MEMORY = '/dev/shm'

/**
 * Starts an engine on which a scan of a large table ends in time, and points the environment of this process to it. Without an index in the
 * order of a scan, the engine sorts the whole table for each page.
 */
export const startScannedEngine = async () => {
  const folder = await mkdtemp(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'check-'))
  const file = join(folder, 'table.db')
  const { url, stop } = await startDynamodb({ file, environment: process.env, log: () => {} })
  const named = process.env['DYNAMODB_ENDPOINT']
  process.env['DYNAMODB_ENDPOINT'] = url
  return {
    /** Adds the index to a table without items. An engine that the environment names has another database. */
    indexScans: (table: string): void => {
      if (!existsSync(file)) return
      const database = new DatabaseSync(file, { timeout: 5000 })
      database.exec(`CREATE INDEX "${table}::scan" ON "${table}" (hash_prefix, pk, sk)`)
      database.close()
    },
    stop: async (): Promise<void> => {
      await stop()
      await rm(folder, { recursive: true, force: true })
      if (named === undefined) delete process.env['DYNAMODB_ENDPOINT']
    },
  }
}
