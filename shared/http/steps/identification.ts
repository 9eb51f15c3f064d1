import * as v from 'valibot'
import { checkStaff, type Requester } from '../../accounts/requester.ts'
import { getUser } from '../../accounts/user-store.ts'
import { logger } from '../../platform/logger.ts'
import { notFound, ServiceError } from '../../platform/values/errors.ts'
import { PathId } from '../path-id.ts'
import { authenticate } from './authentication.ts'
import type { Incoming } from './incoming.ts'
import { checkAllowance } from './throttling.ts'

/** The user that `X-Act-As-User` names, or the sender itself. The sender must be staff before anything is looked up. */
const actedFor = async (headers: Incoming['headers'], sender: Requester): Promise<Requester> => {
  const named = headers['x-act-as-user']
  if (named === undefined) return sender
  await checkStaff(sender)
  const id = v.safeParse(PathId, named)
  if (!id.success) throw new ServiceError('parse', 'X-Act-As-User must be the id of a user: a whole number from 1 to 2147483647.')
  if (!(await getUser(id.output))) throw notFound()
  return { id: id.output, staff: sender.id }
}

/**
 * The user that a request is made for. It counts for the rate limit of its sender.
 * @throws ServiceError `unauthenticated`, `throttled`, or, about the header `X-Act-As-User`, `forbidden`, `parse` or `not_found`
 */
export const identify = async (headers: Incoming['headers']): Promise<Requester> => {
  const sender = await authenticate(headers)
  logger.appendKeys({ user: sender.id })
  await checkAllowance(sender.id)
  const user = await actedFor(headers, sender)
  if (user.staff !== undefined) logger.appendKeys({ user: user.id, staff: user.staff })
  return user
}
