import type { ComponentChildren } from 'preact'
import type { LeadStatus, Statistics } from '../../client/operations.ts'
import { LeadsLink } from '../leads/leads-link.tsx'
import { texts } from '../texts.ts'
import { NumberTable } from './number-table.tsx'
import { OUTCOMES } from './outcomes.ts'
import { type CallsAsked, callsPlace } from './period.ts'

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

const Share = ({ of }: { readonly of: number }) => (
  <>
    {words.percent(of)}
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="part-all" width={100 * of} height={10} />
    </svg>
  </>
)

/** Numbers with bars that show their shares. Rows without any are left out. */
const Shares = ({ id, title, about, empty, heads, rows }: SharesProps) => {
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about !== undefined && <p class="hint">{about}</p>}
      {total === 0 && <p class="empty">{empty}</p>}
      {total > 0 && (
        <NumberTable
          heads={heads}
          rows={rows
            .filter(({ count }) => count > 0)
            .map(({ key, name, count }) => ({ key, head: name, cells: [count, <Share key={key} of={count / total} />] }))}
        />
      )}
    </section>
  )
}

const largestFirst = (rows: readonly ShareRow[]): ShareRow[] => [...rows].sort((one, other) => other.count - one.count)

interface ByOutcomeProps {
  readonly outcomes: Statistics['calls']['by_outcome']
  readonly asked: CallsAsked
}

/** The calls by outcome. An outcome leads to its days. */
export const ByOutcome = ({ outcomes, asked }: ByOutcomeProps) => (
  <Shares
    id="by-outcome"
    title={words.byOutcome}
    about={words.byOutcomeAbout}
    empty={words.noCalls}
    heads={[words.outcome, words.calls, words.shareOfCalls]}
    rows={largestFirst(
      OUTCOMES.map((outcome) => ({
        key: outcome,
        name: <a href={`#/${callsPlace({ ...asked, outcome })}`}>{texts.outcomes[outcome]}</a>,
        count: outcomes[outcome],
      })),
    )}
  />
)

export const ByAttempt = ({ attempts }: { readonly attempts: Statistics['calls']['by_attempt'] }) => (
  <Shares
    id="by-attempt"
    title={words.byAttempt}
    about={words.byAttemptAbout}
    empty={words.noCalls}
    heads={[words.attempt, words.calls, words.shareOfCalls]}
    rows={attempts.map((count, index) => ({
      key: `${index}`,
      name: index === attempts.length - 1 ? words.lastAttempts(index + 1) : `${index + 1}`,
      count,
    }))}
  />
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
      name: isLeadStatus(code) ? <LeadsLink asked={{ status: code }}>{texts.statuses[code]}</LeadsLink> : code,
      count,
    }))}
  />
)
