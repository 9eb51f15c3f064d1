import { dayCount } from '#shared/statistics/rules/period.ts'
import type { Statistics } from '../../client/operations.ts'
import { Fact } from '../parts/fact.tsx'
import { texts } from '../texts.ts'
import { dayInWords } from '../times.ts'

const { callsView: words } = texts

const Figure = ({ label, value, about }: { readonly label: string; readonly value: string; readonly about: string }) => (
  <Fact label={label}>
    <strong>{value}</strong> <span class="second">{about}</span>
  </Fact>
)

const rateText = (rate: number | null): string => (rate === null ? texts.none : words.percent(rate))

/** The whole period in a few figures. Each rate says what it divides. */
export const Summary = ({ statistics: { from, to, created, calls } }: { readonly statistics: Statistics }) => {
  const refused = calls.by_outcome.FAILED
  const rang = calls.total - refused
  return (
    <section aria-labelledby="summary">
      <h2 id="summary">{words.summary}</h2>
      <p aria-live="polite">{words.shown(dayInWords(from), dayInWords(to), dayCount({ from, to }))}</p>
      <dl class="facts">
        <Figure label={words.calls} value={`${calls.total}`} about={words.callsAbout} />
        <Figure label={words.rang} value={`${rang}`} about={words.rangAbout(refused)} />
        <Figure label={words.contactRate} value={rateText(calls.contact_rate)} about={words.contactRateAbout(calls.contacts, rang)} />
        <Figure label={words.transferRate} value={rateText(calls.transfer_rate)} about={words.transferRateAbout(calls.transfers, rang)} />
        <Figure label={words.created} value={`${created}`} about={words.createdAbout} />
      </dl>
    </section>
  )
}
