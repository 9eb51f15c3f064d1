import { DatabaseSync } from 'node:sqlite'

/** The database may be in use, by the engine itself. */
const PATIENCE_MS = 5_000

/**
 * Gives the records of the engine's streams an index. The engine has none: to number a new record, and to find those after another, it
 * reads all there are, which takes it longer with each.
 * @param file the database of an engine that runs
 * @returns why it has none, when that is so
 */
export const indexStreams = (file: string): string | undefined => {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: PATIENCE_MS })
    database.exec('CREATE INDEX IF NOT EXISTS _stream_records_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))')
    return undefined
  } catch (error) {
    return String(error)
  } finally {
    database?.close()
  }
}
