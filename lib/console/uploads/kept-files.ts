import type { Source } from '../../client/operations.ts'
import { createUserStore } from '../session.ts'
import { useStore } from '../store.ts'
import type { RowCount } from './rows-of.ts'

/** A file that the user wants to send. */
export interface FileOrder {
  readonly file: File
  /** The name under which the service will know it. */
  readonly filename: string
  readonly source: Pick<Source, 'key' | 'mode'>
  readonly rows: RowCount
  readonly isDryRun: boolean
}

const NONE_CHECKED: ReadonlyMap<string, FileOrder> = new Map()

/** The files that were only checked, by the ids of their checks. They can be sent without another choice until the page is closed. */
export const checkedFiles = createUserStore(NONE_CHECKED)

export const keepChecked = (id: string, order: FileOrder): void => checkedFiles.set(new Map([...checkedFiles.get(), [id, order]]))

export const dropChecked = (id: string): void => checkedFiles.set(new Map([...checkedFiles.get()].filter(([known]) => known !== id)))

/** Whether the next file corrects a file that was only checked. Then it is only checked too. */
export const isCheckNext = createUserStore(false)

const NONE_SENT: ReadonlySet<string> = new Set()

/** The uploads whose whole file this tab has sent. The service does not say that a file has arrived until it begins to read it. */
const sentFiles = createUserStore(NONE_SENT)

export const noteFileSent = (id: string): void => sentFiles.set(new Set([...sentFiles.get(), id]))

export const useIsSent = (id: string): boolean => useStore(sentFiles).has(id)
