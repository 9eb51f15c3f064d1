import { DescribeTableCommand } from '@aws-sdk/client-dynamodb'
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb'
import { setting } from '../environment.ts'
import { client } from './client.ts'

/** Only for the operator's tool: no function may read the whole table. */

type Place = ScanCommandInput['ExclusiveStartKey']

export interface ScannedPage {
  /** Number of the segment, from 0. */
  readonly segment: number
  readonly items: Record<string, unknown>[]
}

/** Most items of a page, which may be small. Memory of a page depends on its items more than on its bytes. */
const PAGE = 1000

interface Scanning {
  /** Segments that are read concurrently, at least 1. Memory holds two pages of each, of at most 1 MB. */
  readonly segments: number
  /** Reads only one of several parts of the table, which count from 1. Default: the whole table. */
  readonly part?: number
  readonly parts?: number
}

/**
 * Every item of the table, strongly consistent. Pages of a segment come in the table's order: the items of a partition come together, by
 * their sort keys. Items written during the scan may be missing. An item that exists all the time appears once.
 */
export async function* scanTable({ segments, part = 1, parts = 1 }: Scanning): AsyncGenerator<ScannedPage> {
  const reading = new Map<number, Promise<ScannedPage & { readonly next: Place }>>()
  const readPage = async (segment: number, start: Place) => {
    const place = { Segment: (part - 1) * segments + segment, TotalSegments: parts * segments, ExclusiveStartKey: start }
    const command = new ScanCommand({ TableName: setting('TABLE_NAME'), ConsistentRead: true, Limit: PAGE, ...place })
    const { Items = [], LastEvaluatedKey } = await client.send(command)
    return { segment, items: Items, next: LastEvaluatedKey }
  }
  const read = (segment: number, start: Place): void => {
    const page = readPage(segment, start)
    // A reader that stops early does not wait for these pages: avoid an unhandled rejection.
    page.catch(() => {})
    reading.set(segment, page)
  }
  for (let segment = 0; segment < segments; segment++) read(segment, undefined)
  while (reading.size > 0) {
    const { segment, items, next } = await Promise.race(reading.values())
    if (next) read(segment, next)
    else reading.delete(segment)
    yield { segment, items }
  }
}

/** Distinguishes this table from every other, also from one of the same name. */
export const idOfTable = async (): Promise<string> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: setting('TABLE_NAME') }))
  return Table?.TableId ?? Table?.TableArn ?? setting('TABLE_NAME')
}
