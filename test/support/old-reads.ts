import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { getLines } from '#shared/calling/line-store.ts'
import { linesKey } from '#shared/platform/keys.ts'
import { withAnswers } from './table-sends.ts'

/** The item of an owner's lines as it is now. */
export const linesAsStored = async (owner: number): Promise<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(await getLines(owner)).filter(([, value]) => value !== null))

/** While it runs, the first `times` eventually consistent reads of an owner's lines return an old item. @returns how many did */
export const withOldLines = async (owner: number, old: Record<string, unknown>, times: number, run: () => Promise<unknown>) => {
  const { pk } = linesKey(owner)
  let left = times
  const isMeant = (command: unknown): boolean =>
    command instanceof GetCommand && command.input.ConsistentRead === false && command.input.Key?.['pk'] === pk
  await withAnswers((command, send) => {
    if (left === 0 || !isMeant(command)) return send()
    left--
    return { Item: { ...old, calls: new Set(old['calls'] as Set<string>) } }
  }, run)
  return times - left
}
