import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { getUser, saveUser } from '#shared/accounts/user-store.ts'
import { OWNER } from './world.ts'

export const STAFF = 33
export const STAFF_KEY = 'a-key-of-staff'

/** A staff member beside the two users of a world. */
export const saveStaff = async (): Promise<void> => {
  const like = await getUser(OWNER)
  if (!like) throw new Error('There is no first user.')
  await saveUser({ ...like, id: STAFF, name: 'Staff', is_staff: true, dnc_group: `${STAFF}`, default_lead_type: null })
  await saveApiKey(STAFF_KEY, { user: STAFF, created_time: 0, revoked_time: null })
}

/** The headers of a staff member who acts for a user. */
export const actingFor = (user: number | string, key = STAFF_KEY) => ({ Authorization: `Token ${key}`, 'X-Act-As-User': `${user}` })
