import { dayOf } from '#shared/platform/values/day.ts'
import { representStatistics } from '#shared/statistics/api/statistics.ts'
import { attemptName, CREATED, callsName, contactsName } from '#shared/statistics/rules/counted.ts'
import { statisticsOf } from '#shared/statistics/rules/totals.ts'
import { after } from '../../reference/sample-lead.ts'
import { campaign } from './world.ts'

const DAY = dayOf(after(0))
const [MORNING, AFTERNOON] = [16, 20]

const group = { leadType: campaign.id, source: 'website' }

/** Three leads of one day, and their calls. */
const groups = [
  { ...group, day: null, counts: { OPEN: 2, CLOSED: 1 } },
  {
    ...group,
    day: DAY,
    counts: {
      [CREATED]: 3,
      [callsName(MORNING, 'DIAL_NO_ANSWER')]: 2,
      [callsName(AFTERNOON, 'COMPLETED_CLOSED_LIVE_TRANSFER')]: 1,
      [callsName(AFTERNOON, 'FAILED')]: 1,
      [contactsName(AFTERNOON)]: 1,
      [attemptName(1)]: 3,
      [attemptName(2)]: 1,
    },
  },
]

/** The statistics of one day. */
export const statisticsExample = representStatistics(
  statisticsOf(groups, { from: DAY, to: DAY }, { leadType: undefined, source: undefined }),
)
