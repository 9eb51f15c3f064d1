import type { ComponentChildren } from 'preact'
import type { Period } from '#shared/statistics/rules/period.ts'
import type { LeadPage } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Heading } from '../parts/heading.tsx'
import { IgnoredFilters } from '../parts/ignored-filters.tsx'
import { Options } from '../parts/options.tsx'
import { FirstPage, Pager } from '../parts/pager.tsx'
import { open } from '../route.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { dayInWords } from '../times.ts'
import { LeadTable } from './lead-table.tsx'
import { LeadTypeName } from './lead-type-name.tsx'
import { isStatus, type LeadsAsked, type ListQuery, leadsAsked, leadsPlace, listQuery, PAGE_SIZE } from './list-query.ts'
import { LookUp, LookUpFirst, LookUpPager, lookedUp } from './look-up.tsx'

const POLL_EVERY = 10_000
/** The list by day of the last change reads the list of each status and lead type. */
const POLL_CHANGED_EVERY = 60_000

const { leads } = texts

const StatusFilter = ({ asked }: { readonly asked: LeadsAsked }) => (
  <div class="field">
    <label for="status">{leads.filter}</label>
    <select
      id="status"
      value={asked.status ?? ''}
      onChange={({ currentTarget: { value } }) => {
        lookedUp.set(undefined)
        // The API combines no status with days of creation.
        open(leadsPlace({ ...asked, created: undefined, status: isStatus(value) ? value : undefined }))
      }}
    >
      <option value="">{leads.all}</option>
      <Options texts={texts.statuses} />
    </select>
  </div>
)

const daysInWords = ({ from, to }: Period): string => leads.only.days(dayInWords(from), dayInWords(to))

/** Which part of the leads an address of the view Calls asks for. */
const Only = ({ asked: { status, created, changed, hour, leadType } }: { readonly asked: LeadsAsked }) => {
  const said = [
    ...(created === undefined ? [] : [leads.only.created(daysInWords(created))]),
    ...(changed === undefined ? [] : [leads.only.changed(daysInWords(changed), hour)]),
  ]
  if (said.length === 0 && leadType === undefined) return status ? <p class="hint">{leads.changed}</p> : null
  return (
    <p class="note">
      {said.join(' ')}{' '}
      {leadType !== undefined && (
        <>
          {leads.only.leadType} <LeadTypeName id={leadType} />.
        </>
      )}{' '}
      <a href="#/leads">{leads.showAll}</a>
    </p>
  )
}

const emptyText = ({ status, created, changed, leadType }: LeadsAsked): string => {
  if (created !== undefined || changed !== undefined || leadType !== undefined) return leads.emptyPeriod
  return status ? leads.emptyStatus : leads.empty
}

interface LeadListProps {
  readonly asked: ListQuery
  readonly empty: string
  readonly isOpenCount: boolean
  readonly firstPage: ComponentChildren
  readonly pager: (page: LeadPage) => ComponentChildren
}

/** One page of leads. Another question needs another key, so that no old answer stands below it. */
const LeadList = ({ asked, pager, ...rest }: LeadListProps) => {
  const pollEvery = asked.modified_time_after === undefined ? POLL_EVERY : POLL_CHANGED_EVERY
  const list = useQuery('list', (client, signal) => client.request('GET /api/leads/', { query: asked, signal }), pollEvery)
  return (
    <>
      <LeadTable list={list} {...rest} />
      {list.data && pager(list.data)}
    </>
  )
}

const NOTHING: LeadsAsked = { status: undefined, created: undefined, changed: undefined, hour: undefined, leadType: undefined }

/** Look-ups and lists of leads. */
export const LeadsView = ({ query }: { readonly query: URLSearchParams }) => {
  const wanted = useStore(lookedUp)
  const list = wanted ? NOTHING : leadsAsked(query)
  const asked: ListQuery = wanted ? { page_size: PAGE_SIZE, [wanted.kind]: wanted.value, page: wanted.page } : listQuery(list, query)
  return (
    <>
      <Heading text={leads.title} />
      <div class="tools">
        <LookUp />
        <StatusFilter asked={list} />
      </div>
      {!wanted && <IgnoredFilters query={query} place={leadsPlace(list)} />}
      <Only asked={list} />
      <LeadList
        key={JSON.stringify(asked)}
        asked={asked}
        empty={wanted ? leads.nothingFound : emptyText(list)}
        isOpenCount={list.status !== undefined || list.changed !== undefined || list.leadType !== undefined}
        firstPage={wanted ? <LookUpFirst wanted={wanted} /> : <FirstPage at="leads" query={query} />}
        pager={(page) => (wanted ? <LookUpPager page={page} wanted={wanted} /> : <Pager page={page} at="leads" query={query} />)}
      />
    </>
  )
}
