import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEachSend } from './table-sends.ts'

const WRITES = [PutCommand, UpdateCommand, DeleteCommand, TransactWriteCommand]

/** Runs until this many writes are made; then every request fails. @returns whether any request failed this way */
export const dieAfter = async (writes: number, run: () => Promise<unknown>): Promise<boolean> => {
  let made = 0
  let isDead = false
  const died = () => {
    isDead = true
    throw new Error('The function is dead.')
  }
  await beforeEachSend((command) => {
    if (made >= writes) died()
    if (WRITES.some((write) => command instanceof write)) made++
  }, run).catch(() => {})
  return isDead
}
