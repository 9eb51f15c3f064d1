import { nearest } from '../../http/fields/nearest.ts'
import { readUsState, STATE_NAMES } from './state.ts'

/** Letters. A shorter text is near too many names. */
const FEWEST_LETTERS = 4

const codes: ReadonlyMap<string, string> = new Map(STATE_NAMES.flatMap(([code, ...names]) => names.map((name) => [name, code] as const)))

const meant = (text: string): string | undefined => {
  const { value } = readUsState(text)
  if (value !== undefined || text.length < FEWEST_LETTERS) return value
  return codes.get(nearest(text, [...codes.keys()]) ?? '')
}

/** ` Did you mean NY?` for `New York`, `ny` or `New Yrok`. Without a suggestion: which codes there are. */
export const stateHelp = (text: string): string => {
  const code = meant(text)
  return code === undefined ? ' Send the two-letter code of a state, such as NY.' : ` Did you mean ${code}?`
}
