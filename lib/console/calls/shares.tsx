import type { ComponentChildren } from 'preact'
import type { LeadStatus, Statistics } from '../../client/operations.ts'
import { lookedUp } from '../leads/look-up.tsx'
import { codeInWords } from '../parts/code-in-words.ts'
import { texts } from '../texts.ts'

const { callsView: words } = texts

interface ShareRow {
  readonly key: string
  readonly name: ComponentChildren
  readonly count: number
}

interface SharesProps {
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly empty: string
  /** Headings of the columns: the name, the number, and its share. */
  readonly heads: readonly [string, string, string]
  readonly rows: readonly ShareRow[]
}

/** Numbers with bars that show their shares. Rows without any are left out. */
const Shares = ({ id, title, about, empty, heads, rows }: SharesProps) => {
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p class="hint">{about}</p>}
      {total === 0 && <p class="empty">{empty}</p>}
      {total > 0 && (
        <table>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows
              .filter(({ count }) => count > 0)
              .map(({ key, name, count }) => (
                <tr key={key}>
                  <th scope="row">{name}</th>
                  <td>{count}</td>
                  <td>
                    {words.percent(count / total)}
                    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                      <rect class="part-other" width={(100 * count) / total} height={10} />
                    </svg>
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

const largestFirst = (rows: readonly ShareRow[]): ShareRow[] => [...rows].sort((one, other) => other.count - one.count)

export const ByOutcome = ({ outcomes }: { readonly outcomes: Statistics['calls']['by_outcome'] }) => (
  <Shares
    id="by-outcome"
    title={words.byOutcome}
    empty={words.noCalls}
    heads={[words.outcome, words.calls, words.shareOfCalls]}
    rows={largestFirst(Object.entries(outcomes).map(([code, count]) => ({ key: code, name: codeInWords(code), count })))}
  />
)

/** The list shows what was looked up last, unless that is forgotten. */
const StatusLink = ({ status }: { readonly status: LeadStatus }) => (
  <a href={`#/leads?status=${status}`} onClick={() => lookedUp.set(undefined)}>
    {texts.statuses[status]}
  </a>
)

const isLeadStatus = (code: string): code is LeadStatus => Object.hasOwn(texts.statuses, code)

/** The leads by status. A status leads to the list of its leads. */
export const ByStatus = ({ statuses }: { readonly statuses: Statistics['leads']['by_status'] }) => (
  <Shares
    id="by-status"
    title={words.byStatus}
    about={words.byStatusAbout}
    empty={words.noLeads}
    heads={[texts.leads.status, words.leads, words.shareOfLeads]}
    rows={Object.entries(statuses).map(([code, count]) => ({
      key: code,
      name: isLeadStatus(code) ? <StatusLink status={code} /> : code,
      count,
    }))}
  />
)
