import { api } from '#shared/http/api.ts'
import { ok } from '#shared/http/reply.ts'
import { now } from '#shared/platform/clock.ts'
import { representStatistics } from '#shared/statistics/api/statistics.ts'
import { STATISTICS_PARAMETERS, statisticsAsked } from '#shared/statistics/api/statistics-request.ts'
import { statisticsOf } from '#shared/statistics/rules/totals.ts'
import { countsOf } from '#shared/statistics/statistics-store.ts'

export const handler = api({ auth: 'token', query: STATISTICS_PARAMETERS }, async ({ user, query }) => {
  const asked = statisticsAsked(query, now())
  return ok(representStatistics(statisticsOf(await countsOf(user.id, asked.period), asked.period, asked)))
})
