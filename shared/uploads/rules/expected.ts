import { LOOKUPS, METADATA_PREFIX } from '../../ingestion/rules/target-fields.ts'
import { LOCATION_KEYS } from '../../location/rules/location-keys.ts'
import type { Expected, NeededColumns } from './csv/unfit.ts'

/** What the API shows of a source. The console has nothing else, and looks at a file as the service does. */
interface ShownSource {
  readonly key: string
  readonly mode: 'create' | 'upsert' | 'update'
  readonly lookup_column: string | null
  readonly columns: readonly {
    readonly names: readonly string[]
    readonly field: string
    readonly required: boolean
    readonly joined: boolean
  }[]
}

/** Columns without which every row would be rejected. */
export const neededColumns = ({ mode, lookup_column, columns }: ShownSource): NeededColumns | null => {
  if (mode === 'create' || lookup_column === null) {
    const names = columns.find(({ field }) => field === 'phone_number')?.names
    return names ? { names, purpose: 'to create leads' } : null
  }
  const found = columns.filter(({ field, names }) => LOOKUPS.some((name) => name === field) && names.includes(lookup_column))
  const certain = found.find(({ names }) => names.length === 1) ?? (found.length === 1 && !found[0]?.joined ? found[0] : undefined)
  return certain ? { names: certain.names, purpose: 'to find leads' } : null
}

/** Whether a column decides whom, when and whether the service calls. The others only describe the lead. */
const isDecisive = ({ field, required }: ShownSource['columns'][number]): boolean =>
  required || !field.startsWith(METADATA_PREFIX) || LOCATION_KEYS.includes(field.slice(METADATA_PREFIX.length))

/** What a file for a source has to look like. */
export const expectedOf = (source: ShownSource, filename: string): Expected => ({
  filename,
  source: source.key,
  columns: [...new Set(source.columns.flatMap(({ names }) => names))],
  decisive: source.columns.filter(isDecisive).flatMap(({ names }) => names),
  fields: source.columns,
  needed: neededColumns(source),
})
