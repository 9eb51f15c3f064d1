import type { User } from '../accounts/configuration.ts'
import { getEmergencies } from '../backlog/emergency-store.ts'
import { placeOfIp } from '../location/ip-places.ts'
import { setting } from '../platform/environment.ts'
import type { CallingPolicy, PlacePolicy } from './rules/policy.ts'

/** The settings that decide, besides the leads themselves, where leads are. */
export const placePolicy = (): PlacePolicy => ({ defaultTimezone: setting('DEFAULT_TIMEZONE'), placeOfIp })

/** The settings that decide, besides the leads themselves, when a user's leads may be called. */
export const callingPolicy = async (user: User | undefined): Promise<CallingPolicy> => ({
  ...placePolicy(),
  defaultWindow: setting('DEFAULT_WINDOW'),
  account: user?.calling_hours ?? null,
  emergencies: await getEmergencies(),
})
