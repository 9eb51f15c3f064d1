import type { Explanation } from '../../client/operations.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { adviceOn, leadVerdict } from './verdict.ts'

const { verdict: words } = texts

interface VerdictBannerProps {
  readonly explanation: Explanation
  /** Whether the explanation is about the present moment, not about a chosen time. */
  readonly isNow: boolean
  /** Whether this is still the verdict of another time. */
  readonly isLoading: boolean
}

/** Says in one place whether the lead is called, and why or why not. It stays in sight while the slider asks about another time. */
export const VerdictBanner = ({ explanation, isNow, isLoading }: VerdictBannerProps) => {
  const { at, timezones: zones } = explanation
  const { kind, text, reason, next } = leadVerdict(explanation, isNow)
  return (
    <section class={`verdict lead ${kind} ${isNow ? '' : 'asking'}`} aria-label={words.label} aria-busy={isLoading}>
      <p class="headline">{text}</p>
      {!isNow && <BothTimes at={at} zones={zones} />}
      {reason && (
        <p class="reason">
          {texts.gates[reason.gate].name}: <QuotedText text={sentenceInWords(reason.detail, zones[0])} />
        </p>
      )}
      {isNow && kind === 'bad' && reason && <p>{adviceOn(reason)}</p>}
      {next !== null && (
        <p>
          {reason?.gate === 'due' ? words.plannedTime : words.next}: <BothTimes at={next} zones={zones} />
        </p>
      )}
    </section>
  )
}
