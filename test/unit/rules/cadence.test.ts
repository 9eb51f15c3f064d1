import { describe, expect, it } from '@jest/globals'
import * as v from 'valibot'
import { Cadence, LeadType } from '#shared/accounts/configuration.ts'
import { delayOf, nextDelay } from '#shared/calling/rules/finish/further-call.ts'
import { DAY } from '#shared/platform/values/durations.ts'

describe('delays stored before they had limits', () => {
  const cadence = { delays: [90.5, 9_007_199_254_740_991], max_attempts: 2000, transfer_unavailable_delay: 40_000_000 }

  it('delays stored before they had limits are read, like other settings that files now refuse', () => {
    const leadType = {
      ...{ id: 4, owner: 1, name: 'Old', agent: 'main', cadence, reengagement: { min_days: 40_000 } },
      ...{ transfer: { mode: 'warm', destinations: ['+12125550199'], hold_limit_seconds: 7200 } },
    }
    expect(v.parse(LeadType, leadType)).toMatchObject(leadType)
  })

  it('delays stored before they had limits are capped at 365 days when used', () => {
    const read = v.parse(Cadence, cadence)
    expect([1, 2, 3].map((placed) => nextDelay(read, placed, 'no_answer'))).toEqual([90_500, 365 * DAY, 365 * DAY])
    expect(delayOf(read.transfer_unavailable_delay)).toBe(365 * DAY)
  })
})
