import type { Delivery } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { ownZone, timeIn } from '../times.ts'

const { deliveries: words } = texts

/** The log has one KiB of each answer. */
const MOST_SAID = 1024

type Attempt = Delivery['attempts'][number]

const Said = ({ label, text }: { readonly label: string; readonly text: string | null }) =>
  text === null || text === '' ? null : (
    <p>
      {label}: <QuotedText text={text} most={MOST_SAID} />
    </p>
  )

const One = ({ attempt: { time, status_code, duration_ms, error, response_body, url } }: { readonly attempt: Attempt }) => (
  <>
    <p>
      {status_code === null ? words.noAnswer : words.answer(status_code)}{' '}
      <span class="second">
        {timeIn(ownZone(), time)}, {words.duration(duration_ms)}
      </span>
    </p>
    <Said label={words.error} text={error} />
    <details>
      <summary>{words.details}</summary>
      <Said label={words.url} text={url ?? texts.none} />
      <Said label={words.body} text={response_body ?? texts.none} />
    </details>
  </>
)

/** The requests of a delivery, the latest first. All but the latest are folded. */
export const Attempts = ({ attempts }: Pick<Delivery, 'attempts'>) => {
  const [latest, ...earlier] = [...attempts].reverse()
  if (!latest) return <span class="second">{words.noAttempt}</span>
  return (
    <>
      <p class="second">{words.tries(attempts.length)}</p>
      <One attempt={latest} />
      {earlier.length > 0 && (
        <details>
          <summary>{words.earlier(earlier.length)}</summary>
          <ol reversed>
            {earlier.map((attempt) => (
              <li key={attempt.time}>
                <One attempt={attempt} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  )
}
