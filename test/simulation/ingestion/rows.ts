import { randomFrom } from '../torture/mayhem.ts'
import { type BadRow, badRow } from './bad-rows.ts'
import { cellsOf, rowText } from './csv-text.ts'
import { type Fields, idOf, isSteady, isToldInParts, partOf, personOf } from './people.ts'

export interface FileSpec {
  readonly rows: number
  readonly seed: number
  /**
   * Whether rows say another thing of a lead than earlier ones, back and forth. Without, a later row only adds to what an earlier one says,
   * so that the same file again says nothing new.
   */
  readonly isContradictory: boolean
  /** Number of the first lead, a multiple of 70: files with others have no lead in common. Default: 0. */
  readonly first?: number
}

/** A row that is about a lead, and what it says of it. */
interface GoodRow {
  readonly kind: 'good'
  readonly text: string
  readonly id: string
  readonly fields: Fields
}

export type Row = GoodRow | BadRow

const HUNDRED = 100
const BAD_IN_A_HUNDRED = 3
/** So near to its first row that one batch has both. */
const NEAR = 60
/** No lead of a file has so high a number. */
const STRANGERS = 2_000_000

const goodRow = (number: number, fields: Fields): GoodRow => {
  const id = idOf(number)
  return { kind: 'good', text: rowText(cellsOf(id, fields)), id, fields }
}

/** Makes the good rows one by one: four of five are about a lead of their own. */
const goodRows = (random: () => number, isContradictory: boolean, first: number) => {
  const below = (end: number): number => Math.floor(random() * end)
  const inParts: number[] = []
  let leads = first
  const create = (): GoodRow => {
    const number = leads++
    if (!isToldInParts(number)) return goodRow(number, personOf(number))
    inParts.push(number)
    return goodRow(number, partOf(number))
  }
  const earlier = (): number => (random() < 0.5 ? leads - 1 - below(Math.min(leads - first, NEAR)) : first + below(leads - first))
  const again = (): GoodRow => {
    const number = earlier()
    if (isContradictory && !isSteady(number)) return goodRow(number, personOf(number, below(3)))
    return goodRow(number, isToldInParts(number) ? partOf(number) : personOf(number))
  }
  const complete = (): GoodRow => {
    const [number] = inParts.splice(random() < 0.5 ? inParts.length - 1 : below(inParts.length), 1)
    return goodRow(number!, personOf(number!))
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

/** The rows of a file, the same for the same seed: of each hundred, three are bad. */
export function* rowsOf({ rows, seed, isContradictory, first = 0 }: FileSpec): Generator<Row> {
  const random = randomFrom(seed)
  const good = goodRows(random, isContradictory, first)
  let bad = 0
  for (let begin = 0; begin < rows; begin += HUNDRED) {
    const places = new Set<number>()
    while (places.size < BAD_IN_A_HUNDRED) places.add(1 + Math.floor(random() * (HUNDRED - 1)))
    for (let place = 0; place < Math.min(HUNDRED, rows - begin); place++) {
      const other = places.has(place) ? good.steady() : undefined
      yield other === undefined ? good.next() : badRow(bad, { number: STRANGERS + bad++, other })
    }
  }
}
