import { createUserStore } from '../session.ts'
import type { FileOrder } from './use-sending.ts'

const NONE: ReadonlyMap<string, FileOrder> = new Map()

/** The files that were only checked, by the ids of their checks. They can be sent without another choice until the page is closed. */
export const checkedFiles = createUserStore(NONE)

export const keepChecked = (id: string, order: FileOrder): void => checkedFiles.set(new Map([...checkedFiles.get(), [id, order]]))

export const dropChecked = (id: string): void => checkedFiles.set(new Map([...checkedFiles.get()].filter(([known]) => known !== id)))
