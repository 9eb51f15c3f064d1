import { agentRoutes } from './routes/agents.ts'
import { callRoutes } from './routes/calls.ts'
import { consentRoutes } from './routes/consents.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { ingestLeadRoutes, uploadRoutes } from './routes/ingestion.ts'
import { leadRoutes } from './routes/leads.ts'
import type { Route } from './routes/route.ts'
import { serviceRoutes } from './routes/service.ts'
import { statisticsRoutes } from './routes/statistics.ts'
import { stopRoutes } from './routes/stops.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export type { Route }

/** Every route of the API. */
export const routes = [
  ...leadRoutes,
  ...callRoutes,
  ...uploadRoutes,
  ...ingestLeadRoutes,
  ...stopRoutes,
  ...consentRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...statisticsRoutes,
  ...agentRoutes,
  ...serviceRoutes,
] as const satisfies readonly Route[]
