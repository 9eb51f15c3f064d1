export interface KeptAnswers<T> {
  readonly get: (address: string) => T | undefined
  /** Keeps an answer whose tag the service can compare. */
  readonly keep: (address: string, answer: T) => T
}

/** Answers by their addresses, of which only the latest stay. */
export const keptAnswers = <T extends { readonly headers: Headers }>(most: number): KeptAnswers<T> => {
  const kept = new Map<string, T>()
  return {
    get: (address) => kept.get(address),
    keep: (address, answer) => {
      kept.delete(address)
      if (answer.headers.get('etag') !== null) kept.set(address, answer)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
      return answer
    },
  }
}
