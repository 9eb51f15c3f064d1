import type { Upload } from '../../client/operations.ts'
import { QuotedText } from '../parts/quoted-text.tsx'
import { createUserStore } from '../session.ts'
import { useStore } from '../store.ts'
import { texts } from '../texts.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/** What the user calls the files that this tab has sent, by the ids of their uploads. */
const chosenNames = createUserStore(NONE)

export const keepName = (id: string, name: string): void => chosenNames.set(new Map([...chosenNames.get(), [id, name]]))

interface NamesProps {
  /** As the user names the file. */
  readonly chosen: string
  /** As the service names it. */
  readonly stored: string
}

/** The name that the user chose, and the name in the service if it differs: other tabs, logs and reports have that one. */
export const FileNames = ({ chosen, stored }: NamesProps) => (
  <>
    <QuotedText text={chosen} />
    {chosen !== stored && (
      <span class="second">
        {texts.uploads.storedName} <QuotedText text={stored} />
      </span>
    )}
  </>
)

/** What to call an upload: as the user did, if this tab has sent the file. */
export const useFileName = ({ upload_id, filename }: Pick<Upload, 'upload_id' | 'filename'>): string =>
  useStore(chosenNames).get(upload_id) ?? filename

export const FileName = ({ upload }: { readonly upload: Pick<Upload, 'upload_id' | 'filename'> }) => (
  <QuotedText text={useFileName(upload)} />
)
