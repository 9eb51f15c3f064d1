import { rowsTakenIn } from '#shared/leads/lead-store.ts'
import { scanTable } from '#shared/platform/table/scan.ts'
import type { Output } from '../output.ts'
import { itemsByKeys } from './by-keys.ts'
import { allPrefixes, prefixesOf, searchBucket, type UploadFound } from './files.ts'
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

type Items = Iterable<Readonly<Record<string, unknown>>> | AsyncIterable<Readonly<Record<string, unknown>>>

async function* wholeTable(output: Output): AsyncGenerator<Readonly<Record<string, unknown>>> {
  let count = 0
  for await (const { items } of scanTable({ segments: SEGMENTS })) {
    for (const item of items) {
      yield item
      if (++count % PROGRESS_EACH === 0) output.note(`${count} items searched`)
    }
  }
}

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The items that concern the person, by their keys. Adds their leads to `sought`. */
const personItems = async (all: Items, sought: SoughtPerson): Promise<PersonItem[]> => {
  const items: PersonItem[] = []
  for await (const item of all) {
    const found = personItem(item, sought)
    if (!found || (await isOfAnother(found, sought))) continue
    items.push(found)
    const { id, owner } = item
    if (found.type !== 'lead' || found.fate !== 'person' || typeof id !== 'number') continue
    sought.leads.add(id)
    for (const { upload, row } of rowsTakenIn(item)) sought.rows.set(upload, (sought.rows.get(upload) ?? new Set<number>()).add(row))
    if (typeof owner === 'number') await addGroup(sought, owner)
  }
  // Not in the order in which the segments of the table or the items of a batch happened to come.
  return items.sort(({ key: a }, { key: b }) => inOrder(a.pk, b.pk) || inOrder(a.sk, b.sk))
}

interface TableSurvey {
  readonly items: readonly PersonItem[]
  /** Prefixes of the keys of objects in the bucket that may hold data of the person. */
  readonly prefixes: Iterable<string>
}

const readTable = async (sought: SoughtPerson, output: Output, isErasure: boolean): Promise<TableSurvey> => {
  if (sought.everywhere) return { items: await personItems(wholeTable(output), sought), prefixes: allPrefixes(sought) }
  const all = await itemsByKeys(sought, isErasure)
  return { items: await personItems(all, sought), prefixes: new Set(all.flatMap((item) => prefixesOf(item, sought))) }
}

/**
 * Some items are linked only through a lead, and may have been passed before that lead was met. If new leads were met, everything is read
 * again.
 */
const surveyTable = async (sought: SoughtPerson, output: Output, isErasure: boolean): Promise<TableSurvey> => {
  const known = sought.leads.size
  const first = await readTable(sought, output, isErasure)
  return sought.leads.size > known ? readTable(sought, output, isErasure) : first
}

/** Searches the table and the files: by keys, or everywhere. */
export const surveyPerson = async (sought: SoughtPerson, output: Output, isErasure = true): Promise<Survey> => {
  const { items, prefixes } = await surveyTable(sought, output, isErasure)
  let objects = 0
  const uploads = await searchBucket(prefixes, sought, () => {
    if (++objects % 1000 === 0) output.note(`${objects} objects searched`)
  })
  return { items, uploads }
}
