import { unknownChoice } from '#shared/http/fields/choice.ts'
import { invalidPhone } from '#shared/http/fields/phone.ts'
import { stateHelp } from '#shared/location/rules/state-help.ts'
import { US_STATES } from '#shared/platform/values/values.ts'
import { COLUMNS, cellsOf, rowText } from './csv-text.ts'
import { personOf } from './people.ts'

/** How the service describes a rejected row. */
export interface Complaint {
  readonly column: (typeof COLUMNS)[number] | ''
  readonly value: string
  readonly message: string
}

type Complained = Pick<BadRow, 'text' | 'complaint'>

export interface BadRow {
  readonly kind: 'bad'
  /** Name of the mistake that the row contains. */
  readonly flaw: string
  readonly text: string
  readonly complaint: Complaint
}

interface Circumstances {
  /** Number of a lead that does not exist. */
  readonly number: number
  /** Number of an existing lead, which keeps its phone and email. */
  readonly other: number
}

const badId = (number: number): string => `B-${number}`

/** A row for a new lead with one wrong cell. */
const withCell =
  (column: (typeof COLUMNS)[number], value: string, message: string) =>
  ({ number }: Circumstances): Complained => {
    const cells = cellsOf(badId(number), personOf(number))
    const text = rowText(cells.map((cell, index) => (COLUMNS[index] === column ? value : cell)))
    // The service shows a null character as U+FFFD.
    return { text, complaint: { column, value: value.replace('\0', '\uFFFD'), message } }
  }

const PLAIN = { first_name: 'Tom', last_name: 'Plain', zip: '10001' }
const plainCells = ({ number }: Circumstances): string[] => cellsOf(badId(number), { ...personOf(number), ...PLAIN })

const ragged = (cells: readonly string[]): Complained => {
  const text = rowText(cells)
  return {
    text,
    complaint: { column: '', value: text, message: `Expected ${COLUMNS.length} cells, as in the header, but got ${cells.length}.` },
  }
}

const QUOTES = 'Text follows the end of a quoted cell. Quotes inside a quoted cell must be doubled.'

const FLAWS: Readonly<Record<string, (circumstances: Circumstances) => Complained>> = {
  'no valid phone': withCell('Phone', '555-12', invalidPhone('555-12')),
  'no phone': withCell('Phone', '', 'This field is required. No lead matches, and a new lead needs a phone number.'),
  'no id': withCell('Lead ID', '', 'This field may not be blank.'),
  'no such state': withCell('State', 'ZZ', unknownChoice('ZZ', US_STATES, stateHelp)),
  'a formula for an email': withCell('Email', '=1+1', 'Enter a valid email address. An example is ann@example.com.'),
  'null character': withCell('Last Name', 'A\0B', 'Null characters are not allowed.'),
  'too few cells': (circumstances) => ragged(plainCells(circumstances).slice(0, 5)),
  'too many cells': (circumstances) => ragged([...plainCells(circumstances), 'more']),
  'text after quote': (circumstances) => {
    const [id, , ...others] = plainCells(circumstances)
    const text = `${id},"Tom" T,${rowText(others)}`
    return { text, complaint: { column: '', value: text, message: QUOTES } }
  },
  'phone and email of another': ({ number, other }) => ({
    text: rowText(
      cellsOf(badId(number), { ...personOf(number), phone_number: personOf(other).phone_number!, email: personOf(other).email! }),
    ),
    complaint: { column: '', value: '', message: 'The fields email, phone_number, company must make a unique set.' },
  }),
}

const ALL_FLAWS = Object.keys(FLAWS)
/** Flaws that do not depend on the order of rows with different ids, which lanes do not keep. */
const FLAWS_IN_LANES = ALL_FLAWS.filter((flaw) => flaw !== 'phone and email of another')

/** A bad row. Turns go through all flaws. */
export const badRow = (turn: number, circumstances: Circumstances, isInLanes: boolean): BadRow => {
  const flaws = isInLanes ? FLAWS_IN_LANES : ALL_FLAWS
  const flaw = flaws[turn % flaws.length]!
  return { kind: 'bad', flaw, ...FLAWS[flaw]!(circumstances) }
}
