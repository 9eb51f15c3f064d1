import { randomFrom } from '../torture/mayhem.ts'
import { type BadRow, badRow } from './bad-rows.ts'
import { cellsOf, rowText } from './csv-text.ts'
import { type Fields, idOf, isSteady, isToldInParts, partOf, personOf } from './people.ts'

export interface FileSpec {
  readonly rows: number
  readonly seed: number
  /** Whether later rows contradict earlier ones. If not, later rows only add fields, so that the same file sent again changes nothing. */
  readonly isContradictory: boolean
  /** Number of the first lead, a multiple of 70. Files with distant first numbers share no lead. Default: 0. */
  readonly first?: number
  /** Characters of a cell that the source ignores, which make the file large. Default: 0. */
  readonly notes?: number
  /** Whether lanes read the file: then no row has the phone and the email of another lead, because either of the rows may win. */
  readonly isInLanes?: boolean
}

/** A valid row, with the lead and the fields that it sets. */
interface GoodRow {
  readonly kind: 'good'
  readonly text: string
  readonly id: string
  readonly fields: Fields
}

export type Row = GoodRow | BadRow

const HUNDRED = 100
const BAD_IN_A_HUNDRED = 3
/** How close a row is to the lead's first row, so that one batch contains both. In leads. */
const NEAR = 60
/** Higher than the number of any lead in a file. */
const STRANGERS = 2_000_000

/** Makes valid rows one by one. Four of five create a lead. */
const goodRows = (random: () => number, { isContradictory, first = 0, notes = 0 }: FileSpec) => {
  const below = (end: number): number => Math.floor(random() * end)
  const inParts: number[] = []
  let leads = first
  const rowOf = (number: number, fields: Fields): GoodRow => {
    const id = idOf(number)
    return { kind: 'good', text: rowText(cellsOf(id, fields, 'n'.repeat(notes))), id, fields }
  }
  const create = (): GoodRow => {
    const number = leads++
    if (!isToldInParts(number)) return rowOf(number, personOf(number))
    inParts.push(number)
    return rowOf(number, partOf(number))
  }
  const earlier = (): number => (random() < 0.5 ? leads - 1 - below(Math.min(leads - first, NEAR)) : first + below(leads - first))
  const again = (): GoodRow => {
    const number = earlier()
    if (isContradictory && !isSteady(number)) return rowOf(number, personOf(number, below(3)))
    return rowOf(number, isToldInParts(number) ? partOf(number) : personOf(number))
  }
  const complete = (): GoodRow => {
    const [number] = inParts.splice(random() < 0.5 ? inParts.length - 1 : below(inParts.length), 1)
    return rowOf(number!, personOf(number!))
  }
  const next = (): GoodRow => {
    const choice = random()
    if (leads === first || choice < 0.8) return create()
    return choice < 0.9 && inParts.length > 0 ? complete() : again()
  }
  const steady = (): number | undefined => {
    const number = first + below(leads - first)
    for (let other = number; other >= first; other--) if (isSteady(other)) return other
    return undefined
  }
  return { next, steady }
}

/** The rows of a file, the same for the same seed. Three rows of each hundred are bad. */
export function* rowsOf(spec: FileSpec): Generator<Row> {
  const { rows, seed, isInLanes = false } = spec
  const random = randomFrom(seed)
  const good = goodRows(random, spec)
  let bad = 0
  for (let begin = 0; begin < rows; begin += HUNDRED) {
    const places = new Set<number>()
    while (places.size < BAD_IN_A_HUNDRED) places.add(1 + Math.floor(random() * (HUNDRED - 1)))
    for (let place = 0; place < Math.min(HUNDRED, rows - begin); place++) {
      const other = places.has(place) ? good.steady() : undefined
      yield other === undefined ? good.next() : badRow(bad, { number: STRANGERS + bad++, other }, isInLanes)
    }
  }
}
