import { GroupCounts } from '../joins/hole-counts.ts'
import type { Join, SuspectReport } from '../joins/join.ts'
import { Lists } from '../joins/lists.ts'
import { Pairs } from '../joins/pairs.ts'
import { Stops } from '../joins/stops.ts'
import { RecordParts } from '../lines/record.ts'
import { eachLine, type SortedLines } from '../lines/sorted-lines.ts'
import { TAGS, type Tag } from '../tags.ts'
import { suspectRecord } from './suspects.ts'

const nothing = (): void => {}

/** By the tags of their records. */
const newJoins = (suspects: SortedLines): ReadonlyMap<string, Join> => {
  const report: SuspectReport = (kind, where) => suspects.add(suspectRecord({ kind, where: `${where}` }))
  const joins: Readonly<Record<(typeof TAGS)[Tag], Join>> = {
    [TAGS.person]: new Pairs({
      onMissing: (lead) => {
        report('person-lacks-lead', lead)
        report('person-email', lead)
      },
      onStray: (where) => report('person-names-stranger', where),
    }),
    [TAGS.pointer]: new Pairs({ onMissing: (lead) => report('pointer-missing', lead), onStray: (where) => report('pointer-stray', where) }),
    [TAGS.promise]: new Pairs({ onMissing: (lead) => report('promise-not-watched', lead), onStray: nothing }),
    [TAGS.holeCount]: new GroupCounts(report),
    [TAGS.list]: new Lists(report),
    [TAGS.stop]: new Stops(report),
    [TAGS.suspect]: { take: (record) => suspects.add(record.rest()), end: nothing },
  }
  return new Map(Object.entries(joins))
}

/** Records between two progress messages. */
const PROGRESS = 5_000_000

/** Finds suspects among the sorted records of the whole table. */
export const joinRecords = async (records: Iterable<string>, suspects: SortedLines, note: (text: string) => void): Promise<void> => {
  const joins = newJoins(suspects)
  let count = 0
  await eachLine(records, (line) => {
    joins.get(line.charAt(0))?.take(new RecordParts(line, 1))
    if (++count % PROGRESS === 0) note(`${count.toLocaleString('en-US')} records compared`)
  })
  for (const join of joins.values()) join.end()
}
