import { afterEach } from '@jest/globals'

interface Closable {
  readonly close: () => Promise<void>
}

/** Closes after each test what the test has made or added. */
export const closedWorlds = <A extends readonly unknown[], W extends Closable>(make: (...options: A) => Promise<W>) => {
  const worlds: Closable[] = []
  afterEach(async () => {
    await Promise.all(worlds.splice(0).map(({ close }) => close()))
  })
  const world = async (...options: A): Promise<W> => {
    const made = await make(...options)
    worlds.push(made)
    return made
  }
  return { world, worlds }
}
