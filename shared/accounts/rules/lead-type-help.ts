import { listedUpTo, nearest } from '../../http/fields/nearest.ts'
import { cutText } from '../../platform/values/cut-text.ts'
import type { LeadType } from '../configuration.ts'

type Named = Pick<LeadType, 'id' | 'name'>

/** Most lead types in a message. */
const MOST_LISTED = 10
/** Characters of a name in a message. */
const MOST_SHOWN = 50

const shown = ({ id, name }: Named): string => `${id} "${cutText(name, MOST_SHOWN)}"`

/** The lead type that a text probably means: the only one whose name contains it, or the one with the most similar name. */
const meant = (text: string, types: readonly Named[]): Named | undefined => {
  if (text === '' || /^\d+$/.test(text)) return undefined
  const [first, ...others] = types.filter(({ name }) => name.toLowerCase().includes(text))
  if (first && others.length === 0) return first
  const near = nearest(
    text,
    types.map(({ name }) => name),
  )
  return types.find(({ name }) => name === near)
}

/** Sentences for a client whose `lead_type` names none of its lead types. */
export const leadTypeHelp = (asked: unknown, types: readonly Named[]): string => {
  if (types.length === 0) return 'You have no lead types. The operator of the service creates them.'
  const near = meant(typeof asked === 'string' ? asked.trim().toLowerCase() : '', types)
  if (near) return `A lead type is named by its id. Did you mean ${shown(near)}?`
  return `Your lead types: ${listedUpTo(MOST_LISTED, types.map(shown))}.`
}
