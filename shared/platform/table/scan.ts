import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { setting } from '../environment.ts'
import { client } from './client.ts'

/** Only for the operator's tool: no function may read the whole table. */

type Place = ScanCommandInput['ExclusiveStartKey']

interface Page {
  readonly segment: number
  readonly items: Record<string, unknown>[]
  readonly next: Place
}

const readPage = async (segment: number, segments: number, start: Place, Limit?: number): Promise<Page> => {
  const input = { Limit, TableName: setting('TABLE_NAME'), ConsistentRead: true, Segment: segment, TotalSegments: segments }
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ ...input, ExclusiveStartKey: start }))
  return { segment, items: Items, next: LastEvaluatedKey }
}

interface Scanning {
  /** Parts of the table that are read concurrently, at least 1. Memory holds two pages of each, of at most 1 MB. */
  readonly segments: number
  /** Called with the number of items of each page. */
  readonly onPage?: (items: number) => void
}

/**
 * Every item of the table, strongly consistent, in any order. Items written during the scan may be missing. An item that exists all the
 * time appears once.
 */
export async function* scanTable({ segments, onPage }: Scanning): AsyncGenerator<Record<string, unknown>> {
  const reading = new Map<number, Promise<Page>>()
  const read = (segment: number, start: Place): void => {
    const page = readPage(segment, segments, start)
    // A reader that stops early does not wait for these pages: avoid an unhandled rejection.
    page.catch(() => {})
    reading.set(segment, page)
  }
  for (let segment = 0; segment < segments; segment++) read(segment, undefined)
  while (reading.size > 0) {
    const { segment, items, next } = await Promise.race(reading.values())
    if (next) read(segment, next)
    else reading.delete(segment)
    onPage?.(items.length)
    yield* items
  }
}

/** Most items of a page, which may be small. Memory of a page depends on its items more than on its bytes. */
const PAGE = 1000

/**
 * The items of one of several segments in the table's order: those of a partition come together, by their sort keys. Otherwise as
 * `scanTable`. Memory holds two pages.
 * @param segment counts from 0
 */
export async function* scanSegment(segment: number, segments: number): AsyncGenerator<Record<string, unknown>> {
  let reading: Promise<Page> | undefined = readPage(segment, segments, undefined, PAGE)
  while (reading) {
    const { items, next }: Page = await reading
    reading = next && readPage(segment, segments, next, PAGE)
    // As in `scanTable`.
    reading?.catch(() => {})
    yield* items
  }
}

/** Distinguishes this table from every other, also from one of the same name. */
export const idOfTable = async (): Promise<string> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: setting('TABLE_NAME') }))
  return Table?.TableId ?? Table?.TableArn ?? setting('TABLE_NAME')
}
