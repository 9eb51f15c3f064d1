import * as v from 'valibot'
import { unlistLead } from '../leads/lead-store.ts'
import { loggable, logger } from '../platform/logger.ts'

/**
 * Takes a lead that can never be called as it is off its due list. There it would be retried for ever, ahead of others. An operator must
 * repair it.
 */
export const quarantineLead = async (lead: number, reason: string): Promise<void> => {
  logger.error('A lead that cannot be called is removed from the due index.', { lead, reason })
  await unlistLead(lead)
}

/** Reads or changes a lead. A lead that does not match its schema is quarantined. @returns undefined then */
export const readOrQuarantine = async <T>(id: number, read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (!v.isValiError(error)) throw error
    await quarantineLead(id, `It cannot be read: ${JSON.stringify(loggable(error))}`)
    return undefined
  }
}
