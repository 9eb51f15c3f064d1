import { now } from '#shared/platform/clock.ts'
import { DAY } from '#shared/platform/values/durations.ts'
import { formatInstant } from '#shared/platform/values/time.ts'
import { allRegistries } from '#shared/registries/registry-store.ts'
import { type Output, table } from '../output.ts'

const COLUMNS = ['list', 'numbers', 'as of', 'days old', 'imported']

/** Shows all do-not-call registries in force. */
export const showRegistries = async (output: Output): Promise<void> => {
  const found = (await allRegistries()).map(({ list, numbers, as_of, imported_time }) => ({
    ...{ list, numbers, as_of },
    days_old: Math.floor((now() - Date.parse(as_of)) / DAY),
    imported_time: formatInstant(imported_time),
  }))
  const rows = found.map(({ list, numbers, as_of, days_old, imported_time }) => [
    ...[list, numbers.toLocaleString('en-US'), as_of, days_old, imported_time],
  ])
  output.show(found, () => table(COLUMNS, rows, 'No do-not-call registry was imported. See: npm run ops -- registry import --help'))
}
