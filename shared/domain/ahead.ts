/** The same items, each asked for while the one before it is handled. What fails, fails in its turn; nothing is under way at the end. */
export async function* ahead<T>(items: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
  let coming = items.next()
  try {
    for (;;) {
      const { done, value } = await coming
      if (done) return
      coming = items.next()
      coming.catch(() => {})
      yield value
    }
  } finally {
    await items.return()
  }
}
