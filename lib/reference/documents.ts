import { configurationPage } from './configuration.ts'
import { costsPage } from './costs.ts'
import { damagePage } from './damage.ts'
import { eventsPage } from './events.ts'
import { limitsPage } from './limits.ts'
import { metricsPage } from './metrics.ts'
import { routesPage } from './routes.ts'

/** Generated references by file name. `from-stacks.ts` makes the one about alarms. */
export const documents = (): Readonly<Record<string, string>> => ({
  'configuration.md': configurationPage(),
  'costs.md': costsPage(),
  'damage.md': damagePage(),
  'events.md': eventsPage(),
  'limits.md': limitsPage(),
  'metrics.md': metricsPage(),
  'routes.md': routesPage(),
})
