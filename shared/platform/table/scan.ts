import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { setting } from '../environment.ts'
import { client } from './client.ts'

/** For the operator's tool alone: no function may read all of the table. */

type Place = ScanCommandInput['ExclusiveStartKey']

interface Page {
  readonly segment: number
  readonly items: Record<string, unknown>[]
  readonly next: Place
}

const readPage = async (segment: number, segments: number, start: Place): Promise<Page> => {
  const input = { TableName: setting('TABLE_NAME'), ConsistentRead: true, Segment: segment, TotalSegments: segments }
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand({ ...input, ExclusiveStartKey: start }))
  return { segment, items: Items, next: LastEvaluatedKey }
}

interface Scanning {
  /** Parts of the table that are read at the same time, from 1 on: memory holds two pages of each, of 1 MB at most. */
  readonly segments: number
  /** Is told how many items a page held. */
  readonly onPage?: (items: number) => void
}

/**
 * Every item of the table, strongly consistent, in no order. What is written meanwhile may be among them or not, and an item that was
 * there all the time is told once.
 */
export async function* scanTable({ segments, onPage }: Scanning): AsyncGenerator<Record<string, unknown>> {
  const reading = new Map<number, Promise<Page>>()
  const read = (segment: number, start: Place): void => {
    const page = readPage(segment, segments, start)
    // Whoever stops in the middle waits for none of them.
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
