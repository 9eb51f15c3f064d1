import { createDraft } from '../drafts.ts'
import { NO_ENTRIES } from '../leads/lead-fields.tsx'
import { useStore } from '../store.ts'
import type { LeadEdits } from './lead-changes.ts'

const NO_EDITS: LeadEdits = { entered: NO_ENTRIES, before: NO_ENTRIES }

const NONE: ReadonlyMap<number, LeadEdits> = new Map()

/** Edits that are not saved, by the id of their lead. */
const drafts = createDraft(NONE, (edits) => edits.size === 0)

const isEmpty = ({ entered: { values, own } }: LeadEdits): boolean => Object.keys(values).length + Object.keys(own).length === 0

/** The edits of a lead, which stay while another view is open. */
export const useLeadDraft = (id: number) => {
  const edits = useStore(drafts).get(id) ?? NO_EDITS
  const latest = (): LeadEdits => drafts.get().get(id) ?? NO_EDITS
  const set = (next: LeadEdits): void => {
    const others = [...drafts.get()].filter(([other]) => other !== id)
    drafts.set(new Map(isEmpty(next) ? others : [...others, [id, next]]))
  }
  return {
    edits,
    isEdited: !isEmpty(edits),
    change: (by: (before: LeadEdits) => LeadEdits): void => set(by(latest())),
    discard: (): void => set(NO_EDITS),
    /** Keeps what was entered after these edits were sent. */
    saved: (sent: LeadEdits): void => {
      if (latest() === sent) set(NO_EDITS)
    },
  }
}
