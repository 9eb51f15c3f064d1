import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { idsKey } from '#shared/platform/keys.ts'
import { loggable, logger } from '#shared/platform/logger.ts'
import { getItem } from '#shared/platform/table/table.ts'

/** Milliseconds that the table has to answer, so that the caller of the health check gets its answer soon. */
const PATIENCE = 3000

/** Whether the table answers. */
export const handler = api({ auth: 'none' }, async () => {
  try {
    const late = sleep(PATIENCE, undefined, { ref: false }).then(() => Promise.reject(new Error('The table does not answer in time.')))
    await Promise.race([getItem(v.unknown(), idsKey), late])
    return ok({ status: 'ok' })
  } catch (error) {
    logger.error('The table does not answer.', { error: loggable(error) })
    return { status: 503, body: { status: 'unavailable' } }
  }
})
