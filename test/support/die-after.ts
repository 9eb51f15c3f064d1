import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { throttleKey } from '#shared/platform/keys.ts'
import { beforeEachSend } from './table-sends.ts'

const WRITES = [PutCommand, UpdateCommand, DeleteCommand, TransactWriteCommand]

const { sk: THROTTLE } = throttleKey(0)

/** One request in many pays for its rate limit, and chance decides which one. */
const isPayment = (command: unknown): boolean => command instanceof UpdateCommand && command.input.Key?.['sk'] === THROTTLE

const isWrite = (command: unknown): boolean => WRITES.some((write) => command instanceof write) && !isPayment(command)

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
    if (isWrite(command)) made++
  }, run).catch(() => {})
  return isDead
}
