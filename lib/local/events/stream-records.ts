import { createHash } from 'node:crypto'
import type { _Record } from '@aws-sdk/client-dynamodb-streams'
import { REGION } from '../engines/engine.ts'

/** A change of an item as a function receives it in `Records`. */
export interface LocalStreamRecord {
  readonly eventID: string
  readonly eventName: string
  readonly eventVersion: string
  readonly eventSource: 'aws:dynamodb'
  readonly awsRegion: string
  readonly eventSourceARN: string
  readonly dynamodb: {
    readonly SequenceNumber: string
    readonly ApproximateCreationDateTime: number
    readonly Keys: unknown
    readonly NewImage?: unknown
    readonly OldImage?: unknown
    readonly SizeBytes: number
    readonly StreamViewType: string
  }
  readonly userIdentity?: unknown
}

/** Attribute values in wire format: binary values in base64. */
const onTheWire = (value: unknown): unknown => {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
  if (Array.isArray(value)) return value.map(onTheWire)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, onTheWire(field)]))
}

/**
 * @param stream the engine's ARN of the stream. Unlike the template's ARN, it differs between two tables of the same name, and so do the
 * record ids made from it. The engine numbers the records of every new table from one.
 * @param sourceArn the template's ARN of the stream
 */
export const streamRecordOf = (record: _Record, stream: string, sourceArn: string): LocalStreamRecord => {
  const change = record.dynamodb
  if (change?.SequenceNumber === undefined) throw new Error(`a record of ${stream} has no sequence number`)
  const { SequenceNumber, NewImage, OldImage } = change
  return {
    eventID: createHash('md5').update(`${stream} ${SequenceNumber}`).digest('hex'),
    eventName: record.eventName ?? '',
    eventVersion: record.eventVersion ?? '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: REGION,
    eventSourceARN: sourceArn,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor((change.ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      Keys: onTheWire(change.Keys),
      ...(NewImage !== undefined && { NewImage: onTheWire(NewImage) }),
      ...(OldImage !== undefined && { OldImage: onTheWire(OldImage) }),
      SequenceNumber,
      SizeBytes: change.SizeBytes ?? 0,
      StreamViewType: change.StreamViewType ?? '',
    },
    ...(record.userIdentity !== undefined && {
      userIdentity: { principalId: record.userIdentity.PrincipalId, type: record.userIdentity.Type },
    }),
  }
}
