import type { FunctionComponent } from 'preact'
import { Heading } from '../parts/heading.tsx'
import { session } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const { shell } = texts

/** A view that only staff may see. It tells others so, without a request. */
export const staffOnly =
  (title: string, View: FunctionComponent): FunctionComponent =>
  () => {
    const { staff } = useStore(session)
    if (staff) return <View />
    return (
      <>
        <Heading text={title} />
        <p class="note">
          {shell.staffOnly(title)} <a href="#/now">{shell.openNow}</a>
        </p>
      </>
    )
  }
