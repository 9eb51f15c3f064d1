import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import * as v from 'valibot'
import { queueJson } from '#shared/platform/queues/queues.ts'
import type { Invoke, ServiceTemplate } from '../model.ts'
import { functionNameOf } from '../template/arn.ts'

/** Sends one event to one target. Resolves when the queue has the message, or the function ran without error; rejects otherwise. */
export type Send = (payload: unknown, messageGroupId?: string) => Promise<void>

/** Finds the target of an ARN. Throws when no queue and no function of the template has that ARN. */
export type TargetFor = (arn: string) => Send

export const targetsOf =
  ({ template, sqs, invoke }: { template: Pick<ServiceTemplate, 'queues' | 'functions'>; sqs: SQSClient; invoke: Invoke }): TargetFor =>
  (arn) => {
    const queue = template.queues.find((candidate) => candidate.arn === arn)
    if (queue !== undefined) {
      return async (payload, messageGroupId) => {
        const MessageBody = queueJson(payload)
        await sqs.send(
          new SendMessageCommand({
            QueueUrl: queue.url,
            MessageBody,
            ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
          }),
        )
      }
    }
    const fn = template.functions.find((candidate) => candidate.name === functionNameOf(arn))
    if (fn === undefined) throw new Error(`The target ${arn} is neither a queue nor a function of the template.`)
    return async (payload) => {
      const result = await invoke(fn.name, payload)
      if (!result.ok) throw new Error(`${fn.name}: ${result.errorType}: ${result.message}`)
    }
  }

/** An accepted entry of `PutEvents`. `time` is in epoch milliseconds; undefined when the sender gave none. */
export interface BusEntry {
  readonly id: string
  readonly bus: string
  readonly source: string
  readonly detailType: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly resources: readonly string[]
  readonly time: number | undefined
}

const TIME_BYTES = 14

const filled = v.pipe(v.string(), v.minLength(1))

export const putEventsRequest = v.object({ Entries: v.pipe(v.array(v.record(v.string(), v.unknown())), v.minLength(1), v.maxLength(10)) })

const entrySchema = v.object({
  Source: filled,
  DetailType: filled,
  Detail: v.string(),
  EventBusName: v.optional(filled, 'default'),
  Resources: v.optional(v.array(v.string()), []),
  Time: v.optional(v.number()),
})

const detailSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

const bytes = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0)

/** The size of an entry in bytes, by EventBridge's rules. */
export const sizeOf = (entry: Readonly<Record<string, unknown>>): number => {
  const resources: readonly unknown[] = Array.isArray(entry['Resources']) ? entry['Resources'] : []
  const texts = [entry['Source'], entry['DetailType'], entry['Detail'], ...resources]
  return texts.reduce<number>((total, value) => total + bytes(value), entry['Time'] === undefined ? 0 : TIME_BYTES)
}

/** The parsed entry, or the error for this entry alone. */
export const parseEntry = (entry: unknown, id: string): BusEntry | { ErrorCode: string; ErrorMessage: string } => {
  const parsed = v.safeParse(entrySchema, entry)
  if (!parsed.success) {
    const field = parsed.issues[0].path?.[0]?.key
    return { ErrorCode: 'InvalidArgument', ErrorMessage: `Parameter ${String(field)} is not valid.` }
  }
  const detail = v.safeParse(detailSchema, parsed.output.Detail)
  if (!detail.success) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }

  const { Source, DetailType, EventBusName, Resources, Time } = parsed.output
  return {
    id,
    bus: EventBusName,
    source: Source,
    detailType: DetailType,
    detail: detail.output,
    resources: Resources,
    time: Time === undefined ? undefined : Time * 1000,
  }
}
