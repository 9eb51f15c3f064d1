import { configurationPage } from './configuration.ts'
import { eventsPage } from './events.ts'
import { routesPage } from './routes.ts'

/** Every reference that is made of the code, by the name of its file. */
export const documents = (): Readonly<Record<string, string>> => ({
  'configuration.md': configurationPage(),
  'events.md': eventsPage(),
  'routes.md': routesPage(),
})
