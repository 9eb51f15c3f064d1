import { useEffect, useRef } from 'preact/hooks'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { Fact } from '../parts/fact.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { timeIn } from '../times.ts'
import { type HoursOfState, stateKindOf } from './state-kind.ts'

const { map, gate } = texts

interface StateRuleProps {
  readonly hours: HoursOfState
  readonly onClose: () => void
}

/** Why a state is open or closed. Its heading takes the focus, because it stands far from the tile that opens it. */
export const StateRule = ({ hours, onClose }: StateRuleProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [hours.state])
  const { name, state, open, detail, rule, citation, confidence, rules, next_time: next, timezones } = hours
  const kind = stateKindOf(hours)
  return (
    <section aria-labelledby="rule">
      <h2 id="rule" ref={heading} tabIndex={-1}>
        <QuotedText text={`${name} (${state})`} /> <span class={`badge ${kind}`}>{map.kinds[kind]}</span>
      </h2>
      <p>
        <QuotedText text={sentenceInWords(detail)} />
      </p>
      <dl class="facts">
        <Fact label={gate.rule}>
          <QuotedText text={rule ?? texts.none} />
        </Fact>
        <Fact label={gate.citation}>
          <QuotedText text={citation ?? texts.none} />
        </Fact>
        <Fact label={map.confidence}>{map.confidences[confidence]}</Fact>
        <Fact label={map.inForce}>
          {rules.map((one) => (
            <span key={`${one.rule} ${one.from}`} class="time">
              {map.dates(one.rule, one.from, one.until)}
            </span>
          ))}
        </Fact>
        <Fact label={map.whole}>
          {open && map.atThisTime}
          {!open && next === null && map.never}
          {!open &&
            next !== null &&
            timezones.map(({ timezone }) => (
              <span key={timezone} class="time">
                {timeIn(timezone, next)}
              </span>
            ))}
        </Fact>
      </dl>
      <button type="button" onClick={onClose}>
        {map.close}
      </button>
    </section>
  )
}
