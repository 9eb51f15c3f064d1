import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { invalid } from '#shared/platform/values/errors.ts'
import { representStatistics } from '#shared/statistics/api/statistics.ts'
import { STATISTICS_PARAMETERS, statisticsAsked } from '#shared/statistics/api/statistics-request.ts'
import { isCountedByName } from '#shared/statistics/counted-sources.ts'
import { MOST_SOURCES, OTHER_SOURCES } from '#shared/statistics/rules/source-name.ts'
import { statisticsOf } from '#shared/statistics/rules/totals.ts'
import { countsOf } from '#shared/statistics/statistics-store.ts'

const NOT_BY_NAME = `Only the first ${MOST_SOURCES} lead sources are counted by name. This one counts as \`${OTHER_SOURCES}\`, together with all further ones.`

export const handler = api({ auth: 'token', query: STATISTICS_PARAMETERS }, async ({ user, query }) => {
  const asked = statisticsAsked(query, now())
  if (asked.source !== undefined && !(await isCountedByName(user.id, asked.source))) throw invalid({ lead_source: [NOT_BY_NAME] })
  const { period, leadType, source } = asked
  const groups = await countsOf(user.id, period, leadType === undefined ? undefined : { leadType, source })
  return ok(representStatistics(statisticsOf(groups, period, asked)))
})
