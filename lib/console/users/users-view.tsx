import { useState } from 'preact/hooks'
import type { ListedUser, ListedUserPage } from '../../client/operations.ts'
import { useAction } from '../hooks/use-action.ts'
import { useDebounced } from '../hooks/use-debounced.ts'
import { useQuery } from '../hooks/use-query.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { Field } from '../parts/field.tsx'
import { Heading } from '../parts/heading.tsx'
import { QueryNote } from '../parts/query-note.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { open } from '../route.ts'
import { actFor, session, signedInClients } from '../session.ts'
import { pauseInWords } from '../stops/pause-banner.tsx'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const { users } = texts

const PAGE_SIZE = 25
const PAUSE_OF_TYPING = 400

interface RowProps {
  readonly user: ListedUser
  readonly isBusy: boolean
  readonly onChoose: (user: ListedUser) => void
}

const Row = ({ user, isBusy, onChoose }: RowProps) => {
  const { user: shown, staff } = useStore(session)
  const isOwn = user.id === staff?.id
  const label = isOwn ? undefined : users.chooseNamed(user.name, user.id)
  return (
    <tr>
      <th scope="row">
        <QuotedText text={user.name} />
        <span class="second">{users.id(user.id)}</span>
      </th>
      <td>{pauseInWords(user) || texts.none}</td>
      <td>
        {user.id === shown?.id && users.shown}
        {user.id !== shown?.id && (
          <button type="button" aria-label={label} aria-disabled={isBusy} onClick={() => onChoose(user)}>
            {isOwn ? texts.acting.back : users.choose}
          </button>
        )}
      </td>
    </tr>
  )
}

interface TableProps extends Omit<RowProps, 'user'> {
  readonly page: ListedUserPage
}

const Table = ({ page: { count, results }, ...row }: TableProps) => (
  <table>
    <caption>{users.count(results.length, count)}</caption>
    <thead>
      <tr>
        <th scope="col">{users.name}</th>
        <th scope="col">{users.pause}</th>
        <th scope="col">{users.action}</th>
      </tr>
    </thead>
    <tbody>
      {results.map((user) => (
        <Row key={user.id} user={user} {...row} />
      ))}
    </tbody>
  </table>
)

/** All users of the service, of whom staff choose the one to work for. */
export const UsersView = () => {
  const [text, setText] = useState('')
  const search = useDebounced(text.trim(), PAUSE_OF_TYPING)
  const found = useQuery(search, (_, signal) =>
    signedInClients().own.request('GET /api/users/', { query: { page_size: PAGE_SIZE, ...(search !== '' && { search }) }, signal }),
  )
  const { data, isLoading } = found
  const choose = useAction(
    (_, { id }: ListedUser) => {
      const { own, forUser } = signedInClients()
      const isOwn = id === session.get().staff?.id
      return (isOwn ? own : forUser(id).acting).request('GET /api/users/me/')
    },
    ({ data: user }, { isLeft }) => {
      if (isLeft) return
      open('now')
      actFor(user)
    },
  )
  return (
    <>
      <Heading text={users.title} />
      <p>{users.about}</p>
      <search>
        <Field id="user-search" label={users.search} hint={users.hint}>
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
      </search>
      <FailureNote failure={choose.failure} missing={users.gone} />
      <QueryNote query={found} />
      <section aria-label={users.title} aria-busy={isLoading}>
        {data && data.results.length > 0 && <Table page={data} isBusy={choose.isBusy} onChoose={(user) => void choose.run(user)} />}
        <div role="status">{data?.results.length === 0 && <p class="empty">{users.nobody}</p>}</div>
      </section>
    </>
  )
}
