import type { ComponentChildren } from 'preact'
import type { LeadType, Statistics } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { withShare } from './by-day.tsx'
import { NumberTable } from './number-table.tsx'
import { type CallsAsked, callsPlace } from './period.ts'

const { callsView: words } = texts

type Part = Pick<Statistics['by_lead_source'][number], 'calls' | 'contacts' | 'contact_rate' | 'transfers' | 'transfer_rate'>

interface Row extends Part {
  readonly key: string
  readonly name: ComponentChildren
}

interface PartsProps {
  readonly id: string
  readonly title: string
  readonly about: string
  /** Heading of the first column. */
  readonly head: string
  readonly rows: readonly Row[]
}

/** Numbers of which each row narrows the view. Rows without a call are left out. */
const Parts = ({ id, title, about, head, rows }: PartsProps) => {
  const called = rows.filter(({ calls }) => calls > 0)
  if (called.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="hint">{about}</p>
      <NumberTable
        isDense
        heads={[head, words.calls, words.contacts, words.transfers]}
        rows={called.map(({ key, name, calls, contacts, contact_rate, transfers, transfer_rate }) => ({
          key,
          head: name,
          cells: [calls, withShare(contacts, contact_rate), withShare(transfers, transfer_rate)],
        }))}
      />
    </section>
  )
}

interface ByPartProps {
  readonly statistics: Pick<Statistics, 'by_lead_type' | 'by_lead_source'>
  readonly asked: CallsAsked
  readonly leadTypes: readonly LeadType[]
}

/** The calls of each lead type and of each source. The API gives no numbers of leads without one, so nothing leads to these. */
export const ByPart = ({ statistics: { by_lead_type: types, by_lead_source: sources }, asked, leadTypes }: ByPartProps) => {
  const about = asked.outcome ? words.byPartOfOutcome : words.byPartAbout
  const link = (change: Partial<CallsAsked>, text: string) => (
    <a href={`#/${callsPlace({ ...asked, ...change })}`}>
      <QuotedText text={text} />
    </a>
  )
  const nameOf = (type: number): string => leadTypes.find(({ id }) => id === type)?.name ?? `${type}`
  return (
    <>
      <Parts
        id="by-lead-type"
        title={words.byType}
        about={about}
        head={texts.create.fields.lead_type}
        rows={types.map(({ lead_type: type, ...numbers }) => ({
          ...numbers,
          key: `${type}`,
          name: type === null ? words.noType : link({ leadType: `${type}` }, nameOf(type)),
        }))}
      />
      <Parts
        id="by-source"
        title={words.bySource}
        about={about}
        head={texts.create.fields.lead_source}
        rows={sources.map(({ lead_source: source, ...numbers }) => ({
          ...numbers,
          key: source,
          name: source === '' ? words.noSource : link({ source }, source),
        }))}
      />
    </>
  )
}
