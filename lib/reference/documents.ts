import { eventsPage } from './events.ts'
import { routesPage } from './routes.ts'

/** Every reference that is made of the code, by the name of its file. */
export const documents = (): Readonly<Record<string, string>> => ({
  'routes.md': routesPage(),
  'events.md': eventsPage(),
})
