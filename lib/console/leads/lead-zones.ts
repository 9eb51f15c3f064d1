import { locate } from '#shared/location/rules/locate.ts'
import type { Lead } from '../../client/operations.ts'

/** The page knows neither the default time zone of the service nor the places of IP addresses. */
const POLICY = { defaultTimezone: 'UTC', placeOfIp: () => undefined }

/** The time zones of a lead, by the same rule as in the service. None if only the service knows them. */
export const zonesOfLead = (lead: Pick<Lead, 'metadata' | 'phone_number' | 'us_state'>): readonly string[] => {
  const { isKnown, timezones } = locate(lead, POLICY)
  return isKnown ? timezones : []
}
