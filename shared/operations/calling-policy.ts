import { setting } from '../adapters/environment.ts'
import { placeOfIp } from '../adapters/ip-places.ts'
import type { CallingPolicy } from '../domain/calling/policy.ts'
import type { User } from '../schema/configuration.ts'
import { getEmergencies } from '../storage/emergencies.ts'

/** What decides when leads of a user may be called, besides the leads themselves. */
export const callingPolicy = async (user: User | undefined): Promise<CallingPolicy> => ({
  defaultTimezone: setting('DEFAULT_TIMEZONE'),
  defaultWindow: setting('DEFAULT_WINDOW'),
  account: user?.calling_hours ?? null,
  emergencies: await getEmergencies(),
  placeOfIp,
})
