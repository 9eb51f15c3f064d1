import { consentFieldMeant } from '../../consents/rules/misnamed.ts'
import { isSlip, lettersOf } from '../../http/fields/nearest.ts'
import { CONSENT_PREFIX } from './target-fields.ts'

/** Names that a mapping reads for one field. */
export interface ReadNames {
  readonly field: string
  readonly names: readonly string[]
}

/** A name that the mapping does not read, although it looks like one that holds a part of a consent. */
export interface MisnamedConsent {
  readonly name: string
  /** The name that the mapping reads, or the field of the consent. */
  readonly meant: string
}

/** Names that are compared. A file may have thousands of columns. */
const MOST_COMPARED = 300
/** Longer names are not compared: that would take too long. */
const LONGEST_NAME = 60

const isAlike = (name: string, meant: string): boolean => {
  const [letters, other] = [lettersOf(name), lettersOf(meant)]
  return letters === other || isSlip(letters, other)
}

/** Consents under these names would be lost without a word. @param given names of columns, or keys of a payload */
export const misnamedConsents = (given: readonly string[], read: readonly ReadNames[]): MisnamedConsent[] => {
  const known = new Set(read.flatMap(({ names }) => names))
  const [present, absent] = [new Set<string>(), new Set<string>()]
  for (const { field, names } of read) {
    if (names.some((name) => given.includes(name))) present.add(field)
    else if (field.startsWith(CONSENT_PREFIX)) for (const name of names) absent.add(name)
  }
  const others = given.filter((name) => name !== '' && name.length <= LONGEST_NAME && !known.has(name))
  return others.slice(0, MOST_COMPARED).flatMap((name) => {
    const field = consentFieldMeant(name)
    const meant = [...absent].find((one) => isAlike(name, one)) ?? (field !== undefined && !present.has(field) ? field : undefined)
    return meant === undefined ? [] : { name, meant }
  })
}
