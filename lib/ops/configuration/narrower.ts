import * as v from 'valibot'
import { METADATA_PREFIX } from '#shared/schema/field-mapping.ts'
import { IngestionUrl, Source } from '#shared/schema/ingestion.ts'

/** What a file may not say, although the service reads it: what was stored before has to stay readable. */

/** Names and keys are shown in tables on terminals, which control characters would break, and compared with what people type. */
export const OneLine = v.pipe(v.string(), v.regex(/^\P{Cc}*[^\s\p{Cc}]\P{Cc}*$/u, 'Text in one line is required, and not a blank one.'))

const allowance = (description: string) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description(description)))

/** With none at all every request would be refused. */
export const Allowances = v.object({
  sustained_per_day: allowance('Requests in a day of UTC.'),
  burst_per_minute: allowance('Requests in a minute of the clock.'),
})

type Told = readonly [field: 'to' | 'from', message: string]

const keyFault = (to: string): Told[] =>
  to.startsWith(METADATA_PREFIX) && !v.is(OneLine, to.slice(METADATA_PREFIX.length))
    ? [['to', 'A key of the metadata is text in one line, and not a blank one.']]
    : []

const PAIR_OF_BRACKETS = /\[[^[\]]+\]/g

/** Whether brackets are left over, so that it is no path; a key that is called so would be met by no other path either. */
const isBroken = (place: string): boolean => /[[\]]/.test(place.replace(PAIR_OF_BRACKETS, ''))

const pathFaults = (places: readonly string[] = []): Told[] =>
  places.filter(isBroken).map((place) => ['from', `${place} is no path: each [ needs a ] and something between them, as in a[0].b.`])

type Entries = v.InferOutput<typeof IngestionUrl.entries.mapping>

const faultless = (faultsOf: (entry: Entries[number]) => readonly Told[]) =>
  v.rawCheck<Entries>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [at, entry] of dataset.value.entries()) {
      for (const [field, message] of faultsOf(entry)) {
        const input = dataset.value
        addIssue({
          message,
          path: [
            { type: 'array', origin: 'value', input, key: at, value: entry },
            { type: 'object', origin: 'value', input: entry, key: field, value: entry[field] },
          ],
        })
      }
    }
  })

/** From columns, which may be called anything. */
export const ColumnsMapping = v.pipe(
  Source.entries.mapping,
  faultless(({ to }) => keyFault(to)),
)

/** From paths. */
export const PathsMapping = v.pipe(
  IngestionUrl.entries.mapping,
  faultless(({ to, from }) => [...keyFault(to), ...pathFaults(from)]),
)
