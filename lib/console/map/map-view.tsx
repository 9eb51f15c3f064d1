import { useState } from 'preact/hooks'
import { useDebounced } from '../hooks/use-debounced.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { texts } from '../texts.ts'
import { HourSlider } from './hour-slider.tsx'
import { StateRule } from './state-rule.tsx'
import { StateTable } from './state-table.tsx'
import { TileMap, tileId } from './tile-map.tsx'

const POLL_EVERY = 60_000
const PAUSE_OF_SLIDER = 300

/** In which states calls may start, now or at a time of the next day. */
export const MapView = () => {
  const [at, setAt] = useState<number>()
  const [chosen, setChosen] = useState<string>()
  const asked = useDebounced(at, PAUSE_OF_SLIDER)
  const query = useQuery(
    `${asked}`,
    async (client, signal) => {
      const asking = asked === undefined ? {} : { at: new Date(asked).toISOString() }
      const answer = await client.request('GET /api/calling-hours/', { query: asking, signal })
      return { ...answer, data: { asked, hours: answer.data } }
    },
    POLL_EVERY,
  )
  const { data } = query
  const hours = data?.hours
  const state = hours?.states.find((one) => one.state === chosen)

  const close = (): void => {
    setChosen(undefined)
    if (chosen !== undefined) document.getElementById(tileId(chosen))?.focus()
  }

  return (
    <>
      <Heading text={texts.map.title} />
      <p class="hint">{texts.map.about}</p>
      <QueryNote query={query} />
      <HourSlider at={at} onChange={setAt} />
      {hours && (
        <>
          <section aria-labelledby="tiles" aria-busy={data?.asked !== at}>
            <h2 id="tiles">{texts.map.tiles}</h2>
            <TileMap states={hours.states} chosen={chosen} onChoose={setChosen} />
          </section>
          {state && <StateRule hours={state} onClose={close} />}
          <StateTable states={hours.states} at={hours.at} />
        </>
      )}
    </>
  )
}
