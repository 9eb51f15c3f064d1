import { forbidden } from '../platform/values/errors.ts'
import type { Requester } from './api-key-store.ts'
import { getUser } from './user-store.ts'

/** Whether a request has the rights of staff. While staff act for a user, it has only the rights of a user. */
export const isStaff = async ({ id, staff }: Requester): Promise<boolean> => staff === undefined && (await getUser(id))?.is_staff === true

/** @throws ServiceError `forbidden` */
export const checkStaff = async (requester: Requester): Promise<void> => {
  if (!(await isStaff(requester))) throw forbidden()
}
