import { DAY } from '#shared/platform/values/durations.ts'
import { slotsOf, toSlot } from '../lead/slots.ts'
import { useServiceTime } from '../service-clock.ts'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { map } = texts

interface HourSliderProps {
  /** The time that is asked about. Undefined: now. */
  readonly at: number | undefined
  readonly onChange: (at: number | undefined) => void
}

/** Asks about any quarter of an hour of the next day. */
export const HourSlider = ({ at, onChange }: HourSliderProps) => {
  const now = useServiceTime()
  const slots = slotsOf({ from: new Date(now).toISOString(), until: new Date(now + DAY).toISOString(), times: [] })
  const chosen = at ?? now
  const said = timeIn(ownZone(), chosen)
  return (
    <section>
      <label for="hour">{map.slider}</label>
      <input
        id="hour"
        type="range"
        min={0}
        max={DAY / slots.step}
        step={1}
        value={toSlot(slots, chosen)}
        aria-valuetext={said}
        onInput={({ currentTarget: { valueAsNumber: slot } }) => onChange(slot === 0 ? undefined : slots.base + slot * slots.step)}
      />
      <p class="scale" aria-hidden="true">
        {map.scale.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      <p>
        {map.yourTime}: {said}
      </p>
      <button type="button" aria-disabled={at === undefined} onClick={() => onChange(undefined)}>
        {map.now}
      </button>
    </section>
  )
}
