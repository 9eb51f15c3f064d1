import { describe, expect, it } from '@jest/globals'
import { callWorld } from '#test/support/agent-calls.ts'
import { created, patch } from '#test/support/lead-requests.ts'

callWorld()

describe('the warning about a ZIP code of another state', () => {
  it.each([[{ us_state: 'NY' }], [{ metadata: { zip: '94110' } }]])(
    'an update gets the warning about a ZIP code of another state, whichever of the two it sends: %j',
    async (body) => {
      const { id } = await created({ us_state: 'CA', zip: '10001' })
      await patch(id, { us_state: 'NY', metadata: { zip: '94110' } })
      expect((await patch(id, body)).headers['X-Warnings']).toBe('zip_in_other_state;field="metadata.zip";hint="CA"')
      expect((await patch(id, { external_id: 'Z-1' })).headers['X-Warnings']).toBeUndefined()
    },
  )
})
