import { forbidden } from '../platform/values/errors.ts'
import { getUser } from './user-store.ts'

/** The user that a request is made for. */
export interface Requester {
  readonly id: number
  /** The staff member who acts for the user. Absent: the request has a key of the user itself. */
  readonly staff?: number
}

/** Whether a request has the rights of staff. While staff act for a user, it has only the rights of a user. */
export const isStaff = async ({ id, staff }: Requester): Promise<boolean> => staff === undefined && (await getUser(id))?.is_staff === true

/** @throws ServiceError `forbidden` */
export const checkStaff = async (requester: Requester): Promise<void> => {
  if (!(await isStaff(requester))) throw forbidden()
}
