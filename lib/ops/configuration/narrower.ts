import * as v from 'valibot'
import { IngestionUrl, Source } from '#shared/ingestion/ingestion.ts'
import { ALL, stepsOf } from '#shared/ingestion/rules/path.ts'
import { METADATA_PREFIX } from '#shared/ingestion/rules/target-fields.ts'
import { ONE_LINE } from '../output.ts'

/** Rules that are stricter in a file than in the service: stored values must stay readable. */

/** Names and keys appear in terminal tables, where control characters break the layout. Operators also type them. */
export const OneLine = v.pipe(v.string(), v.regex(ONE_LINE, 'This must be one line of text, and not blank.'))

type Fault = readonly [field: 'to' | 'from', message: string]

const keyFault = (to: string): Fault[] =>
  to.startsWith(METADATA_PREFIX) && !v.is(OneLine, to.slice(METADATA_PREFIX.length))
    ? [['to', 'A metadata key must be one line of text, and not blank.']]
    : []

/** Whether the text cannot be a path. A top-level key may have any name, and labels of web forms contain spaces. */
const isBroken = (path: string): boolean => path !== ALL && !path.includes(' ') && stepsOf(path) === undefined

const pathFaults = (paths: readonly string[] = []): Fault[] =>
  paths.filter(isBroken).map((path) => ['from', `${path} is not a path. Write a path such as a[0].b.`])

type Entries = v.InferOutput<typeof IngestionUrl.entries.mapping>

const faultless = (faultsOf: (entry: Entries[number]) => readonly Fault[]) =>
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

/** A mapping from columns. A column may have any name. */
export const ColumnsMapping = v.pipe(
  Source.entries.mapping,
  faultless(({ to }) => keyFault(to)),
)

/** A mapping from paths. */
export const PathsMapping = v.pipe(
  IngestionUrl.entries.mapping,
  faultless(({ to, from }) => [...keyFault(to), ...pathFaults(from)]),
)
