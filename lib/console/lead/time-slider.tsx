import type { CallingTimes } from '../../client/operations.ts'
import { sentenceInWords } from '../parts/api-sentence.ts'
import { BothTimes } from '../parts/both-times.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'
import { isIn, type SliderSlots, slotsOf, toSlot } from './slots.ts'

const { when } = texts

interface TimeSliderProps {
  readonly times: CallingTimes
  /** The time that is asked about. Undefined: now. */
  readonly at: number | undefined
  readonly onChange: (at: number | undefined) => void
  /** To schedule a call at this time. */
  readonly onUse: (at: number) => void
}

/** When the clock allows a call, as coloured parts of a line. */
const Track = ({ slots: { base, step, count, open } }: { readonly slots: SliderSlots }) => (
  <svg class="track" viewBox={`0 0 ${count} 10`} preserveAspectRatio="none" aria-hidden="true">
    {open.map(({ from, until }) => (
      <rect key={from} x={(from - base) / step} width={(until - from) / step} y={0} height={10} />
    ))}
  </svg>
)

const List = ({ slots: { open }, zones }: { readonly slots: SliderSlots; readonly zones: readonly string[] }) => (
  <details>
    <summary>{when.list(open.length)}</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">{when.from}</th>
          <th scope="col">{when.until}</th>
        </tr>
      </thead>
      <tbody>
        {open.map(({ from, until }) => (
          <tr key={from}>
            <td>
              <BothTimes at={from} zones={zones} />
            </td>
            <td>
              <BothTimes at={until} zones={zones} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)

/** Asks about any time of the coming days, and shows when calling is possible. */
export const TimeSlider = ({ times, at, onChange, onUse }: TimeSliderProps) => {
  const slots = slotsOf(times)
  const chosen = at ?? slots.now
  const isOpen = slots.open.some((time) => isIn(time, chosen))
  const next = slots.open.find(({ from }) => from > chosen)
  const { timezones: zones, blocked_by: blocked, refused_later: later } = times
  const said = blocked ? when.blocked : isOpen ? when.possible : when.impossible
  return (
    <section aria-labelledby="when">
      <h2 id="when">{when.title}</h2>
      <p class="hint">{when.about}</p>
      <label for="slider">{when.slider}</label>
      <Track slots={slots} />
      <input
        id="slider"
        type="range"
        min={0}
        max={slots.count}
        step={1}
        value={toSlot(slots, chosen)}
        aria-valuetext={`${timeIn(zones[0] ?? ownZone(), chosen)}. ${said}`}
        onInput={({ currentTarget: { valueAsNumber: slot } }) => onChange(slot === 0 ? undefined : slots.base + slot * slots.step)}
      />
      <p class="scale" aria-hidden="true">
        {when.scale.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      <p class="hint">{blocked ? when.legendBlocked : when.legend}</p>
      <p>
        <BothTimes at={chosen} zones={zones} />
      </p>
      {later && (
        <p class="note">
          {when.refusedLater} <BothTimes at={Date.parse(later.from)} zones={zones} />{' '}
          <QuotedText text={sentenceInWords(later.detail, zones[0])} />
        </p>
      )}
      {slots.open.length === 0 && <p class="note">{when.never}</p>}
      <div class="buttons">
        <button type="button" aria-disabled={at === undefined} onClick={() => onChange(undefined)}>
          {when.now}
        </button>
        <button type="button" aria-disabled={!next} onClick={() => next && onChange(next.from)}>
          {when.next}
        </button>
        {/* The service takes no time that has passed, such as the now of the last answer. */}
        {!blocked && (
          <button type="button" aria-disabled={at === undefined} onClick={() => at !== undefined && onUse(at)}>
            {when.use}
          </button>
        )}
      </div>
      {slots.open.length > 0 && <List slots={slots} zones={zones} />}
    </section>
  )
}
