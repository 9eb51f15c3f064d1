/** The part of a record that decides how many records fit in one transaction: the items that it changes. */
export interface Changing {
  readonly items: ReadonlySet<string>
}

/**
 * Groups records so that one transaction can count each group: it writes a marker for each record, and each changed item once.
 * @param most writes of a transaction
 */
export const groupForTransactions = <T extends Changing>(records: readonly T[], most: number): T[][] => {
  const groups: { readonly records: T[]; readonly items: Set<string> }[] = []
  for (const record of records) {
    const last = groups.at(-1)
    const added = [...record.items].filter((item) => !last?.items.has(item)).length
    const fits = last && last.records.length + 1 + last.items.size + added <= most
    const group = fits ? last : { records: [], items: new Set<string>() }
    if (!fits) groups.push(group)
    group.records.push(record)
    for (const item of record.items) group.items.add(item)
  }
  return groups.map(({ records: fitting }) => fitting)
}
