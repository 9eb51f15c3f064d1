/**
 * Groups rows, in order: rows with a common key, directly or through other rows, are in one group. Rows of different groups are
 * independent.
 */
export const chainsOf = <T>(rows: readonly T[], keysOf: (row: T) => readonly string[]): T[][] => {
  interface Chain {
    rows: { readonly row: T; readonly at: number }[]
    keys: string[]
  }
  const byKey = new Map<string, Chain>()
  const chains = new Set<Chain>()
  for (const [at, row] of rows.entries()) {
    const keys = keysOf(row)
    const [first, ...others] = new Set(keys.flatMap((key) => byKey.get(key) ?? []))
    const chain = first ?? { rows: [], keys: [] }
    for (const other of others) {
      chain.rows.push(...other.rows)
      chain.keys.push(...other.keys)
      chains.delete(other)
    }
    chain.rows.push({ row, at })
    chain.keys.push(...keys)
    for (const key of others.length > 0 ? chain.keys : keys) byKey.set(key, chain)
    chains.add(chain)
  }
  return [...chains].map((chain) => chain.rows.sort((a, b) => a.at - b.at).map(({ row }) => row))
}
