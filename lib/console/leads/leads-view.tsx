import type { LeadStatus, Operations } from '../../client/operations.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Heading } from '../parts/heading.tsx'
import { Options } from '../parts/options.tsx'
import { Pager, pageIn } from '../parts/pager.tsx'
import { open } from '../route.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'
import { LeadTable } from './lead-table.tsx'
import { LookUp, lookedUp } from './look-up.tsx'

const PAGE_SIZE = 25
const POLL_EVERY = 10_000

type ListQuery = NonNullable<Operations['GET /api/leads/']['query']>

const isStatus = (text: string | null): text is LeadStatus => text !== null && Object.hasOwn(texts.statuses, text)

/** The status, page and cursor of the list are in the address. A look-up is not, because it names a person. */
const listQuery = (query: URLSearchParams): ListQuery => {
  const [status, cursor] = [query.get('status'), query.get('cursor')]
  return {
    page_size: PAGE_SIZE,
    ...(isStatus(status) && { status: [status] }),
    ...pageIn(query),
    ...(cursor !== null && { cursor }),
  }
}

const StatusFilter = ({ status }: { readonly status: string }) => (
  <div class="field">
    <label for="status">{texts.leads.filter}</label>
    <select
      id="status"
      value={status}
      onChange={({ currentTarget: { value } }) => {
        lookedUp.set(undefined)
        open(value === '' ? 'leads' : `leads?status=${value}`)
      }}
    >
      <option value="">{texts.leads.all}</option>
      <Options texts={texts.statuses} />
    </select>
  </div>
)

interface LeadListProps {
  readonly asked: ListQuery
  readonly empty: string
  readonly isOpenCount: boolean
  /** The query of the address. Undefined: the list has no pages. */
  readonly query: URLSearchParams | undefined
}

/** One page of leads. Another question needs another key, so that no old answer stands below it. */
const LeadList = ({ asked, empty, isOpenCount, query }: LeadListProps) => {
  const list = useQuery('list', (client, signal) => client.request('GET /api/leads/', { query: asked, signal }), POLL_EVERY)
  return (
    <>
      <LeadTable list={list} empty={empty} isOpenCount={isOpenCount} />
      {list.data && query && <Pager page={list.data} at="leads" query={query} />}
    </>
  )
}

/** Look-ups and lists of leads. */
export const LeadsView = ({ query }: { readonly query: URLSearchParams }) => {
  const wanted = useStore(lookedUp)
  const status = query.get('status')
  const asked: ListQuery = wanted ? { page_size: PAGE_SIZE, [wanted.kind]: wanted.value } : listQuery(query)
  const empty = wanted ? texts.leads.nothingFound : isStatus(status) ? texts.leads.emptyStatus : texts.leads.empty
  return (
    <>
      <Heading text={texts.leads.title} />
      <div class="tools">
        <LookUp />
        <StatusFilter status={isStatus(status) && !wanted ? status : ''} />
      </div>
      {isStatus(status) && !wanted && <p class="hint">{texts.leads.changed}</p>}
      <LeadList
        key={JSON.stringify(asked)}
        asked={asked}
        empty={empty}
        isOpenCount={!wanted && isStatus(status)}
        query={wanted ? undefined : query}
      />
    </>
  )
}
