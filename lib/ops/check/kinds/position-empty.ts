import { blockOf } from '#shared/platform/keys.ts'
import { addHoles, holesAmong } from '#shared/positions/holes.ts'
import { leadIdsAt } from '#shared/positions/lead-index.ts'
import { OpsMistake, OpsRefusal } from '../../refusal.ts'
import { MOST_POSITIONS, type OwnedRange } from '../joins/position-walk.ts'
import { type DamageKind, numbersIn, type Suspect } from '../kind.ts'
import { isOpen, readListCounter } from '../list-state.ts'

const NAME = 'position-empty'

/** Positions without a lead, without a hole, and not open (taken a moment ago). The index lags behind the table. */
const emptyAmong = async (owner: number, positions: readonly number[]): Promise<number[]> => {
  const list = await readListCounter(owner)
  const closed = positions.filter((position) => position <= list.last && !isOpen(list, position))
  const holes = await holesAmong(owner, closed)
  const unrecorded = closed.filter((position) => !holes.has(position))
  const ids = unrecorded.length > 0 ? await leadIdsAt(owner, unrecorded) : new Map()
  return unrecorded.filter((position) => !ids.has(position))
}

const partsOf = (where: string): [owner: number, first: number, last: number] => {
  const [owner = 0, first = 0, last = 0] = numbersIn(where, 3, '1/17-19')
  return [owner, first, last]
}

/** The positions of a suspect of this kind; undefined for other kinds. */
export const emptyRange = ({ kind, where }: Suspect): OwnedRange | undefined => {
  if (kind !== NAME) return undefined
  const [owner, first, last] = partsOf(where)
  return { owner, first, last }
}

const whichOf = (empty: readonly number[], first: number, last: number): string => {
  if (first === last) return `position ${first} of`
  const all = `positions ${first} to ${last} of`
  return empty.length > last - first ? all : `${empty.length.toLocaleString('en-US')} of the ${all}`
}

/** The index may miss a lead that has the position. Only a scan of the leads is certain. */
export const positionEmpty: DamageKind = {
  kind: NAME,
  at: 'OWNER/FIRST-LAST',
  about: "Positions of an owner's list have no lead and are not recorded as holes. The count is too large, and pages show too few leads.",
  look: async (where) => {
    const [owner, first, last] = partsOf(where)
    if (last < first || last - first >= MOST_POSITIONS) throw new OpsMistake(`Name at most ${MOST_POSITIONS} positions, as FIRST-LAST.`)
    const empty = await emptyAmong(
      owner,
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    )
    if (empty.length === 0) return undefined
    return {
      message: `There is no lead at ${whichOf(empty, first, last)} user ${owner}'s list, and no hole is recorded there. The count is too large, and pages are not full.`,
      remedy: 'recording holes there',
      repair: async (leads) => {
        const found = await leads.findAt(owner, empty)
        if (found) {
          const { lead, position } = found
          throw new OpsRefusal(
            `Lead ${lead} has position ${position} of user ${owner}'s list, but the list does not show it. Repair that first. See: npm run ops -- check`,
          )
        }
        for (const [block, positions] of Map.groupBy(empty, blockOf)) await addHoles(owner, block, positions)
        return true
      },
    }
  },
}
