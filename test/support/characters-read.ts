/** Methods that count as one read of the whole text. Only `normalize` can take longer, even quadratic time. */
const SEARCHES = ['indexOf', 'lastIndexOf', 'includes', 'search', 'normalize'] as const

/** At most this many characters are read by text searches and `charCodeAt`. Stands for time, on a machine of any speed. */
export const charactersRead = (work: () => unknown): number => {
  const own = Object.getOwnPropertyDescriptors(String.prototype)
  let read = 0
  for (const name of SEARCHES) {
    const search: (this: string, ...asked: never[]) => unknown = String.prototype[name]
    Object.defineProperty(String.prototype, name, {
      ...own[name],
      value(this: string, ...asked: never[]) {
        read += this.length
        return search.apply(this, asked)
      },
    })
  }
  const { charCodeAt } = String.prototype
  Object.defineProperty(String.prototype, 'charCodeAt', {
    ...own.charCodeAt,
    value(this: string, at: number) {
      read++
      return charCodeAt.call(this, at)
    },
  })
  try {
    work()
  } finally {
    for (const name of [...SEARCHES, 'charCodeAt'] as const) Object.defineProperty(String.prototype, name, own[name])
  }
  return read
}
