/** Methods that read a text once, at most, and one that takes time with the square of its length. */
const SEARCHES = ['indexOf', 'lastIndexOf', 'includes', 'search', 'normalize'] as const

/** How many characters of texts some work reads, at most, where it searches texts or takes single characters. It stands for time. */
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
