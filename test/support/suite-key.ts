import { beforeAll } from '@jest/globals'
import { saveApiKey } from '#shared/accounts/api-key-store.ts'
import { saveUser } from '#shared/accounts/user-store.ts'
import { suiteTable } from './suite-world.ts'

/** The service's table for the suite, with the API key `good` of user 7, who may send any number of requests. */
export const suiteKey = (): void => {
  suiteTable()
  beforeAll(async () => {
    const throttle = { sustained_per_day: 1e9, burst_per_minute: 1e9 }
    await saveUser({ id: 7, name: 'A', is_staff: false, default_lead_type: null, dnc_group: '7', lines: 1, webhook_secrets: [], throttle })
    await saveApiKey('good', { user: 7, created_time: 0, revoked_time: null })
  })
}
