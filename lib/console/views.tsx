import type { FunctionComponent, JSX } from 'preact'
import { CallsView } from './calls/calls-view.tsx'
import { EditLeadView } from './edit-lead/edit-lead-view.tsx'
import { HealthView } from './health/health-view.tsx'
import { LaunchView } from './launch/launch-view.tsx'
import { LeadView } from './lead/lead-view.tsx'
import { CreateLeadView } from './leads/create-lead-view.tsx'
import { LeadsView } from './leads/leads-view.tsx'
import { MapView } from './map/map-view.tsx'
import { NowView } from './now/now-view.tsx'
import { StopsView } from './stops/stops-view.tsx'
import { texts } from './texts.ts'
import { UploadView } from './uploads/upload-view.tsx'
import { UploadsView } from './uploads/uploads-view.tsx'
import { staffOnly } from './users/staff-only.tsx'
import { UsersView } from './users/users-view.tsx'
import { CreateWebhookView } from './webhooks/create-webhook-view.tsx'
import { FilterView } from './webhooks/filter-view.tsx'
import { WebhookView } from './webhooks/webhook-view.tsx'
import { WebhooksView } from './webhooks/webhooks-view.tsx'

/** @returns undefined when there is no such view */
type ViewOf = (parts: readonly string[], query: URLSearchParams) => JSX.Element | undefined

const idOf = (part: string): number | undefined => (/^\d{1,10}$/.test(part) ? Number(part) : undefined)

/** A view whose place has no further part. */
const only =
  (View: FunctionComponent): ViewOf =>
  (parts) =>
    parts.length === 0 ? <View /> : undefined

const leadsView: ViewOf = ([second, third, ...rest], query) => {
  if (second === undefined) return <LeadsView query={query} />
  if (rest.length > 0) return undefined
  if (second === 'new') return third === undefined ? <CreateLeadView /> : undefined
  const id = idOf(second)
  if (id === undefined) return undefined
  if (third === 'edit') return <EditLeadView key={id} id={id} />
  return third === undefined ? <LeadView key={id} id={id} query={query} /> : undefined
}

const callsView: ViewOf = (parts, query) => (parts.length === 0 ? <CallsView query={query} /> : undefined)

const launchView: ViewOf = ([second, ...rest]) => {
  const id = second === undefined ? undefined : idOf(second)
  return rest.length > 0 || (second !== undefined && id === undefined) ? undefined : <LaunchView id={id} />
}

const webhooksView: ViewOf = ([second, ...rest], query) => {
  if (second === undefined) return <WebhooksView key={`${query}`} query={query} />
  if (rest.length > 0) return undefined
  if (second === 'new') return <CreateWebhookView />
  if (second === 'filter') return <FilterView />
  const id = idOf(second)
  return id === undefined ? undefined : <WebhookView key={id} id={id} query={query} />
}

const UPLOAD_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const uploadsView: ViewOf = ([id, ...rest], query) => {
  if (id === undefined) return <UploadsView query={query} />
  return rest.length === 0 && UPLOAD_ID.test(id) ? <UploadView key={id} id={id} /> : undefined
}

/** The views by the first part of their place. */
export const VIEWS: ReadonlyMap<string, ViewOf> = new Map([
  ['now', only(NowView)],
  ['leads', leadsView],
  ['launch', launchView],
  ['calls', callsView],
  ['map', only(MapView)],
  ['uploads', uploadsView],
  ['webhooks', webhooksView],
  ['stops', only(StopsView)],
  ['health', only(staffOnly(texts.shell.health, HealthView))],
  ['users', only(staffOnly(texts.shell.users, UsersView))],
])

const NAVIGATION = [
  { to: 'now', text: texts.shell.now },
  { to: 'leads', text: texts.shell.leads },
  { to: 'leads/new', text: texts.shell.newLead },
  { to: 'launch', text: texts.shell.launch },
  { to: 'calls', text: texts.shell.calls },
  { to: 'map', text: texts.shell.map },
  { to: 'uploads', text: texts.shell.uploads },
  { to: 'webhooks', text: texts.shell.webhooks },
  { to: 'stops', text: texts.shell.stops },
] as const

const STAFF_NAVIGATION = [
  { to: 'health', text: texts.shell.health },
  { to: 'users', text: texts.shell.users },
] as const

export const navigationFor = ({ isStaff }: { readonly isStaff: boolean }) => (isStaff ? [...NAVIGATION, ...STAFF_NAVIGATION] : NAVIGATION)
