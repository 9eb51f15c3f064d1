/** The entries of all pages. */
export const allPages = async <T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}
