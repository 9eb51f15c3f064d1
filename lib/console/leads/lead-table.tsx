import { type ComponentChildren, Fragment } from 'preact'
import type { Lead, LeadPage } from '../../client/operations.ts'
import type { Query } from '../hooks/use-query.ts'
import { nameOf } from '../lead/name-of.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { errorsOfField } from '../parts/form-failure.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { zonesOfLead } from './lead-zones.ts'
import { StatusBadge } from './status-badge.tsx'

const { leads } = texts

const LABELS = { lead_type: texts.create.fields.lead_type, status: leads.status }

/** The name of the person and the id of the customer. Each keeps its direction apart from the other. */
const namesOf = (lead: Lead): readonly string[] => {
  const names = [nameOf(lead), lead.external_id ?? ''].filter((name) => name !== '')
  return names.length === 0 ? [`${lead.id}`] : names
}

const Row = ({ lead }: { readonly lead: Lead }) => (
  <tr>
    <th scope="row">
      <a href={`#/leads/${lead.id}`}>{lead.phone_number}</a>
      <span class="second">
        {namesOf(lead).map((name, place) => (
          <Fragment key={place}>
            {place > 0 && ' · '}
            <QuotedText text={name} />
          </Fragment>
        ))}
      </span>
    </th>
    <td>
      <StatusBadge lead={lead} />
    </td>
    <td>
      {lead.next_call_time === null ? (
        <span class="second">{leads.noNextCall}</span>
      ) : (
        <BothTimes at={lead.next_call_time} zones={zonesOfLead(lead)} />
      )}
    </td>
  </tr>
)

const Table = ({ page: { count, results }, isOpenCount }: { readonly page: LeadPage; readonly isOpenCount: boolean }) => (
  <table class="dense">
    <caption>{leads.count(count, isOpenCount)}</caption>
    <thead>
      <tr>
        <th scope="col">{leads.lead}</th>
        <th scope="col">{leads.status}</th>
        <th scope="col">{leads.nextCall}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((lead) => (
        <Row key={lead.id} lead={lead} />
      ))}
    </tbody>
  </table>
)

interface LeadTableProps {
  readonly list: Query<LeadPage>
  /** Text for a list without leads: it says what to do. */
  readonly empty: string
  /** Leads to the first page of the list. */
  readonly firstPage: ComponentChildren
  /** Whether 1,000 stands for 1,000 or more. */
  readonly isOpenCount: boolean
}

export const LeadTable = ({ list, empty, firstPage, isOpenCount }: LeadTableProps) => {
  const { data, failure, isLoading } = list
  return (
    <section aria-label={leads.list} aria-busy={isLoading}>
      <QueryNote query={list} missing={leads.noPage} wayOut={firstPage} labels={LABELS} />
      {errorsOfField(failure, 'lead_type').length > 0 && <p>{leads.narrow}</p>}
      {failure === undefined && data && data.results.length > 0 && <Table page={data} isOpenCount={isOpenCount} />}
      {failure === undefined && data?.results.length === 0 && (
        <p class="empty">
          {empty} <a href="#/leads/new">{leads.create}</a>
        </p>
      )}
    </section>
  )
}
