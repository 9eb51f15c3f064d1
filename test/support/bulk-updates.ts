import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeEach, expect } from '@jest/globals'
import { mockClient } from 'aws-sdk-client-mock'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as retrieveTask } from '#functions/tasks/retrieve.ts'
import { handler as applyUpdates } from '#functions/workers/apply-updates.ts'
import { consumeAll, KEY, request, type startWorld } from './world.ts'

const as = (key: string) => ({ Authorization: `Token ${key}` })

export const bulkUpdated = (body: unknown, key = KEY) =>
  request(bulkUpdate, { method: 'PATCH', path: '/api/leads/bulk-update/', headers: as(key), body })

export const taskNow = (id: string, key = KEY) =>
  request(retrieveTask, { method: 'GET', path: `/api/tasks/${id}/`, parameters: { task_id: id }, headers: as(key) })

/** Bulk updates, and the queue that carries them, in a started world. */
export const bulkUpdates = (world: () => Awaited<ReturnType<typeof startWorld>>) => {
  const queued = () => world().queues.take('UPDATE_QUEUE_URL')
  beforeEach(queued)

  /** Sends updates that must be accepted. @returns the results, in order */
  const accepted = async (leads: readonly unknown[]) => {
    const { status, body } = await bulkUpdated({ leads })
    expect(status).toBe(202)
    return body.results
  }

  /** Applies the queued messages, in the order that `order` chooses. */
  const work = async (order: (messages: string[]) => string[] = (messages) => messages): Promise<void> =>
    expect(await consumeAll(applyUpdates, order(await queued()))).toEqual([])

  return { queued, accepted, work }
}

/** While `run` runs, every send to a queue fails. */
export const withoutQueue = async <T>(run: () => Promise<T>): Promise<T> => {
  const sqs = mockClient(SQSClient)
  sqs.on(SendMessageBatchCommand).rejects(new Error('no queue'))
  try {
    return await run()
  } finally {
    sqs.restore()
  }
}
