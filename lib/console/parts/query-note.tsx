import type { Query } from '../hooks/use-query.ts'
import { texts } from '../texts.ts'
import { FailureNote, type FailureNoteProps } from './failure-note.tsx'
import { isRefusal } from './form-failure.tsx'

interface QueryNoteProps extends Pick<FailureNoteProps, 'missing' | 'wayOut' | 'labels'> {
  readonly query: Pick<Query<unknown>, 'data' | 'failure' | 'reload'>
}

/** Why data cannot be read, with the button that tries it again if that may help, or that it is still being read. Nothing once there is data. */
export const QueryNote = ({ query: { data, failure, reload }, ...rest }: QueryNoteProps) => (
  <>
    <FailureNote failure={failure} {...(!isRefusal(failure) && { onRetry: reload })} {...rest} />
    {failure === undefined && data === undefined && <p>{texts.loading}</p>}
  </>
)
