import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { queueJson } from '#shared/platform/queues/queues.ts'
import type { Invoke, ServiceTemplate } from '../model.ts'
import { functionNameOf } from '../template/place.ts'

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
