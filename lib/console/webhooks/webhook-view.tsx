import { useState } from 'preact/hooks'
import { useQuery } from '../hooks/use-query.ts'
import { Fact } from '../parts/fact.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import { Deliveries } from './deliveries.tsx'
import { TriggerMeaning } from './trigger-meaning.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { isDisabled, WebhookState } from './webhook-state.tsx'

const { webhooks } = texts

const POLL_EVERY = 10_000
/** As long as conditions may be. */
const MOST_OF_CONDITION = 2000

/** One subscription, with what was sent to its destination. */
export const WebhookView = ({ id, query }: { readonly id: number; readonly query: URLSearchParams }) => {
  const path = { id }
  const [sent, setSent] = useState(0)
  const webhook = useQuery('webhook', (client, signal) => client.request('GET /api/webhooks/{id}/', { path, signal }), POLL_EVERY)
  const reload = (): void => {
    webhook.reload()
    setSent(sent + 1)
  }
  const { data, failure } = webhook
  return (
    <>
      <Heading text={webhooks.one(id)} />
      <QueryNote query={{ ...webhook, reload }} missing={webhooks.missing} />
      {failure === undefined && data && (
        <>
          <section aria-labelledby="facts">
            <h2 id="facts">{webhooks.facts}</h2>
            <dl class="facts">
              <Fact label={webhooks.url}>
                {data.method} <QuotedText text={data.url} />
              </Fact>
              <Fact label={webhooks.state}>
                <WebhookState of={data} />
              </Fact>
              <Fact label={webhooks.condition}>
                {data.filter_condition === '' ? (
                  webhooks.noCondition
                ) : (
                  <code>
                    <QuotedText text={data.filter_condition} most={MOST_OF_CONDITION} />
                  </code>
                )}
              </Fact>
              <Fact label={webhooks.triggers} isWide>
                <ul class="plain boxes">
                  {data.trigger.map((one) => (
                    <li key={one}>
                      {texts.triggers[one]}
                      <span class="second">
                        <TriggerMeaning of={one} />
                      </span>
                    </li>
                  ))}
                </ul>
              </Fact>
            </dl>
            <WebhookActions webhook={data} onDone={reload} />
          </section>
          <Deliveries webhook={id} isHeld={isDisabled(data)} query={query} version={sent} />
        </>
      )}
    </>
  )
}
