import type { Explanation } from '../../client/operations.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { warningInWords } from '../parts/warning-in-words.ts'
import { texts } from '../texts.ts'
import { Disclosures } from './disclosures.tsx'

type GateVerdict = Explanation['gates'][number]

const { gate: words } = texts

interface GateProps {
  readonly verdict: GateVerdict
  readonly zones: readonly string[]
  /** Whether the lead is called once its time has come. */
  readonly mayCome: boolean
}

/** A lead whose time has not come is not stopped: it waits, unless something else stops it. */
const verdictOf = ({ verdict: { gate, passed }, mayCome }: GateProps) => {
  if (passed) return { text: words.passed, kind: 'good' }
  if (gate !== 'due') return { text: words.refused, kind: 'bad' }
  return mayCome ? { text: words.waits, kind: 'wait' } : { text: words.notDue, kind: '' }
}

const Gate = (props: GateProps) => {
  const { verdict, zones } = props
  const { text, kind } = verdictOf(props)
  const { name, about } = texts.gates[verdict.gate]
  return (
    <li class={`gate ${kind}`}>
      <h3>
        {name} <span class={`badge ${kind}`}>{text}</span>
      </h3>
      <p class="hint">{about}</p>
      <p>
        <QuotedText text={sentenceInWords(verdict.detail, zones[0])} />
      </p>
      {verdict.next_time !== null && (
        <p>
          {words.opens}: <BothTimes at={verdict.next_time} zones={zones} />
        </p>
      )}
      {verdict.citation !== null && (
        <p class="second">
          {words.citation}: {verdict.citation}
        </p>
      )}
      {verdict.rule !== null && (
        <p class="second">
          {words.rule}: {verdict.rule}
        </p>
      )}
    </li>
  )
}

interface GatesProps {
  readonly explanation: Explanation
  /** Whether these are still the verdicts of another time. */
  readonly isLoading: boolean
}

/** Every check before a call, with its verdict at the time that was asked about. */
export const Gates = ({ explanation, isLoading }: GatesProps) => {
  const { at, disclosures, gates, next_callable_time: next, remarks = [], timezones: zones } = explanation
  return (
    <section aria-labelledby="gates" aria-busy={isLoading}>
      <h2 id="gates">{words.title}</h2>
      <p>
        <BothTimes at={at} zones={zones} />
      </p>
      {disclosures && <Disclosures disclosures={disclosures} />}
      {remarks.length > 0 && (
        <details open>
          <summary>{words.remarks}</summary>
          <ul>
            {remarks.map((remark) => (
              <li key={`${remark.code} ${remark.field}`}>
                <QuotedText text={warningInWords(remark)} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <ol class="gates">
        {gates.map((verdict) => (
          <Gate key={verdict.gate} verdict={verdict} zones={zones} mayCome={next !== null} />
        ))}
      </ol>
    </section>
  )
}
