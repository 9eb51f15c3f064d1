import { lookedUp } from '../leads/look-up.tsx'
import { texts } from '../texts.ts'
import type { CallsAsked } from './period.ts'

const { callsView: words } = texts

interface LeadsOfDayProps {
  readonly day: string
  readonly asked: CallsAsked
}

/** From the numbers of a day to its leads, as far as the API lists them. */
export const LeadsOfDay = ({ day, asked: { leadType, source } }: LeadsOfDayProps) => {
  const changed = new URLSearchParams({ changed: day, ...(leadType !== '' && { lead_type: leadType }) })
  const forget = (): void => lookedUp.set(undefined)
  return (
    <section aria-labelledby="of-day">
      <h2 id="of-day">{words.ofDay}</h2>
      <ul class="plain">
        <li>
          <a href={`#/leads?created=${day}`} onClick={forget}>
            {words.createdOnDay}
          </a>
        </li>
        <li>
          <a href={`#/leads?${changed}`} onClick={forget}>
            {words.changedOnDay}
          </a>
        </li>
      </ul>
      <p class="hint">
        {words.ofDayAbout} {source !== '' && words.ofAnySource} {leadType !== '' && words.ofAnyType}
      </p>
    </section>
  )
}
