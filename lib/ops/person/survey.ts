import { rowsTakenIn } from '#shared/leads/lead-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import type { Output } from '../output.ts'
import { searchBucket, type UploadFound } from './files.ts'
import { isOfAnother, type PersonItem, personItem } from './person-items.ts'
import { addGroup, type SoughtPerson } from './sought.ts'

/** Everything about a person in the table and the bucket. */
export interface Survey {
  readonly items: readonly PersonItem[]
  readonly uploads: readonly UploadFound[]
}

const SEGMENTS = 8
/** Items between two progress messages. */
const PROGRESS_EACH = 100_000

const surveyTable = async (sought: SoughtPerson, output: Output): Promise<PersonItem[]> => {
  const items: PersonItem[] = []
  let read = 0
  const onPage = (count: number): void => {
    if (Math.floor((read + count) / PROGRESS_EACH) > Math.floor(read / PROGRESS_EACH)) output.note(`${read + count} items searched`)
    read += count
  }
  for await (const item of scanTable({ segments: SEGMENTS, onPage })) {
    const found = personItem(item, sought)
    if (!found || (await isOfAnother(found, sought))) continue
    items.push(found)
    const { id, owner } = item
    if (found.type !== 'lead' || found.fate !== 'person' || typeof id !== 'number') continue
    sought.leads.add(id)
    for (const { upload, row } of rowsTakenIn(item)) sought.rows.set(upload, (sought.rows.get(upload) ?? new Set<number>()).add(row))
    if (typeof owner === 'number') await addGroup(sought, owner)
  }
  return items
}

/**
 * Scans the whole table and the whole bucket. Some items are linked only through a lead, and the scan may have passed them before it met
 * that lead. If it met new leads, it scans the table again.
 */
export const surveyPerson = async (sought: SoughtPerson, output: Output): Promise<Survey> => {
  const known = sought.leads.size
  const first = await surveyTable(sought, output)
  const items = sought.leads.size > known ? await surveyTable(sought, output) : first
  let objects = 0
  const uploads = await searchBucket(sought, () => {
    if (++objects % 1000 === 0) output.note(`${objects} objects searched`)
  })
  return { items, uploads }
}
