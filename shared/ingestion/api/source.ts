import * as v from 'valibot'
import { Id } from '../../platform/values/values.ts'
import type { FieldMapping } from '../field-mapping.ts'
import { lookupOf, SOURCE_MODES, type Source } from '../ingestion.ts'

const Column = v.strictObject({
  names: v.pipe(
    v.array(v.string()),
    v.description('The name of the column, and alternative names. Case does not count, and spaces and underscores are alike.'),
  ),
  field: v.pipe(v.string(), v.description('Where the value goes: a lead field, `metadata.<key>`, or `metadata`.')),
  required: v.pipe(v.boolean(), v.description('Whether a row without a value is rejected.')),
  joined: v.pipe(v.boolean(), v.description('Whether the values of all these columns are joined. Otherwise the first value counts.')),
})

/** A source as clients see it: what a file for it looks like. */
export const SourceResponse = v.strictObject({
  key: v.pipe(v.string(), v.description('Its name: send it as `source` when you ask for the URL of an upload.')),
  lead_type: v.pipe(v.nullable(Id), v.description('Type of the leads that it creates. Null: your default type.')),
  mode: v.pipe(
    v.picklist(SOURCE_MODES),
    v.description(
      'The effect of a row. `create`: a new lead. `upsert`: an update of the lead that the lookup column finds, or else a new lead. `update`: an update only.',
    ),
  ),
  lookup_column: v.pipe(
    v.nullable(v.string()),
    v.description('The column whose value finds the lead of a row. Null in the mode `create`.'),
  ),
  columns: v.array(Column),
})

/** Without a value for the lookup or for the phone number of a new lead, a row is rejected whatever its mapping says. */
const isRequired = ({ mode, lookup_column, mapping }: Source, { to, required }: FieldMapping): boolean =>
  required || to === (mode === 'create' ? 'phone_number' : lookup_column !== null && lookupOf(mapping, lookup_column))

export const representSource = (source: Source): v.InferOutput<typeof SourceResponse> => ({
  key: source.name,
  lead_type: source.lead_type,
  mode: source.mode,
  lookup_column: source.mode === 'create' ? null : source.lookup_column,
  columns: source.mapping.flatMap((entry) => {
    const { to, from, join } = entry
    return from === undefined ? [] : { names: from, field: to, required: isRequired(source, entry), joined: join !== undefined }
  }),
})
