import { texts } from '../texts.ts'
import { Sign } from './sign.tsx'
import { type HoursOfState, type StateKind, stateKindOf } from './state-kind.ts'
import { TILE_PLACES } from './tile-places.ts'

const { map } = texts

export const tileId = (code: string): string => `tile-${code}`

interface TileProps {
  readonly hours: HoursOfState
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const Tile = ({ hours, isChosen, onChoose }: TileProps) => {
  const kind = stateKindOf(hours)
  return (
    <button
      id={tileId(hours.state)}
      type="button"
      class={`tile ${kind}`}
      aria-label={map.tile(hours.state, hours.name, map.kinds[kind])}
      aria-expanded={isChosen}
      onClick={onChoose}
    >
      {hours.state} <span class="word">{map.kinds[kind]}</span>
      <Sign kind={kind} />
    </button>
  )
}

const KINDS: readonly StateKind[] = ['open', 'partly', 'closed']

const Legend = ({ states }: { readonly states: readonly HoursOfState[] }) => (
  <ul class="legend">
    {KINDS.map((kind) => (
      <li key={kind} class={kind}>
        <Sign kind={kind} /> {map.legend[kind](states.filter((hours) => stateKindOf(hours) === kind).length)}
      </li>
    ))}
  </ul>
)

interface TileMapProps {
  readonly states: readonly HoursOfState[]
  /** Code of the state whose rule is shown. */
  readonly chosen: string | undefined
  readonly onChoose: (code: string) => void
}

/** A square for each state. The Tab key moves through the rows of the map, from the north-west to the south-east. */
export const TileMap = ({ states, chosen, onChoose }: TileMapProps) => {
  const byCode = new Map(states.map((hours) => [hours.state, hours]))
  return (
    <>
      <p class="hint">{map.tilesHint}</p>
      <div class="tiles">
        {TILE_PLACES.map((code, place) => {
          const hours = code === undefined ? undefined : byCode.get(code)
          const key = code ?? place
          return hours ? (
            <Tile key={key} hours={hours} isChosen={code === chosen} onChoose={() => onChoose(hours.state)} />
          ) : (
            <span key={key} />
          )
        })}
      </div>
      <Legend states={states} />
    </>
  )
}
