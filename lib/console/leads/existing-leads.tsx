import { useQuery } from '../hooks/use-query.ts'
import { texts } from '../texts.ts'
import { leadsPlace } from './list-query.ts'
import { lookedUp } from './look-up.tsx'

const { create } = texts

/** Says that there are leads with a phone number, and leads to them. A failure says nothing: the service refuses a wrong number itself. */
export const ExistingLeads = ({ phone }: { readonly phone: string }) => {
  const { data } = useQuery('existing', (client, signal) =>
    client.request('GET /api/leads/', { query: { phone_number: phone, page_size: 1 }, signal }),
  )
  return (
    <span class="hint" role="status">
      {data !== undefined && data.count > 0 && (
        <>
          {create.existing(data.count)}{' '}
          <a href={`#/${leadsPlace({})}`} onClick={() => lookedUp.set({ kind: 'phone_number', value: phone, page: 1 })}>
            {create.showExisting(data.count)}
          </a>
        </>
      )}
    </span>
  )
}
