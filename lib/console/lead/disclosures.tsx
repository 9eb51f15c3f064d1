import type { Explanation } from '../../client/operations.ts'
import { texts } from '../texts.ts'

const { title, said: words, federal, advice } = texts.disclosures

/** The disclosures that the agent owes in a call, with the laws that demand them. */
export const Disclosures = ({ disclosures }: { readonly disclosures: NonNullable<Explanation['disclosures']> }) => {
  const said = new Set<string>(disclosures.flatMap(({ say }) => say))
  const times = disclosures.flatMap(({ within_seconds }) => within_seconds ?? [])
  const listed = Object.entries(words).flatMap(([one, text]) => (said.has(one) ? text : []))
  return (
    <details>
      <summary>
        {title(times.length > 0 ? Math.min(...times) : null)}: {listed.join(', ')}
      </summary>
      <ul>
        {disclosures.map(({ jurisdiction, what, citations }) => (
          <li key={`${jurisdiction} ${citations.join()}`}>
            {jurisdiction === 'federal' ? federal : jurisdiction}: {what} <span class="second">{citations.join('; ')}</span>
          </li>
        ))}
      </ul>
      <p class="hint">{advice}</p>
    </details>
  )
}
