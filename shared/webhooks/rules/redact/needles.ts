/** A text as the search reads it: one character at a time. */
export type Searched = Pick<string, 'length' | 'charCodeAt'>

export interface Needles {
  /** Reports the longest needle that ends at a place, for every place at which one does. */
  readonly eachIn: (text: Searched, report: (from: number, to: number) => void) => void
  /** The needles that a text holds. */
  readonly within: (text: Searched) => ReadonlySet<string>
}

/** Numbers the characters of the needles from 1. All other characters are 0. */
const classesOf = (needles: readonly string[]): { readonly classes: Uint16Array; readonly width: number } => {
  const classes = new Uint16Array(2 ** 16)
  let width = 1
  for (const needle of needles) {
    for (let at = 0; at < needle.length; at++) {
      const code = needle.charCodeAt(at)
      if (classes[code] === 0) classes[code] = width++
    }
  }
  return { classes, width }
}

/** The automaton of Aho and Corasick. State 0 is the start. A state is the longest prefix of a needle with which the text so far ends. */
const automatonOf = (needles: readonly string[]) => {
  const { classes, width } = classesOf(needles)
  const size = needles.reduce((sum, { length }) => sum + length, 1)
  const next = new Int32Array(size * width)
  /** Length of the longest needle that ends in a state; 0: none does. */
  const longest = new Int32Array(size)
  const ends = new Map<string, number>()
  let states = 1
  for (const needle of needles) {
    let state = 0
    for (let at = 0; at < needle.length; at++) {
      const step = state * width + (classes[needle.charCodeAt(at)] ?? 0)
      if (next[step] === 0) next[step] = states++
      state = next[step] ?? 0
    }
    longest[state] = needle.length
    ends.set(needle, state)
  }
  /** For each state, the state of its longest proper suffix. */
  const shorter = new Int32Array(size)
  const order = [0]
  for (const state of order) {
    for (let kind = 1; kind < width; kind++) {
      const step = state * width + kind
      const child = next[step] ?? 0
      const other = state === 0 ? 0 : (next[(shorter[state] ?? 0) * width + kind] ?? 0)
      if (child === 0) next[step] = other
      else {
        shorter[child] = other
        longest[child] ||= longest[other] ?? 0
        order.push(child)
      }
    }
  }
  return { classes, width, next, longest, shorter, order, ends }
}

/**
 * Finds many needles in a text in one pass. The time grows with the lengths of text and needles, not with their product. This holds even
 * for a text made of prefixes of needles. Needles must not be empty.
 */
export const needlesOf = (needles: readonly string[]): Needles => {
  const { classes, width, next, longest, shorter, order, ends } = automatonOf(needles)
  const walk = (text: Searched, visit: (state: number, to: number) => void): void => {
    let state = 0
    for (let at = 0; at < text.length; at++) {
      state = next[state * width + (classes[text.charCodeAt(at)] ?? 0)] ?? 0
      visit(state, at + 1)
    }
  }
  return {
    eachIn: (text, report) =>
      walk(text, (state, to) => {
        const length = longest[state] ?? 0
        if (length > 0) report(to - length, to)
      }),
    within: (text) => {
      const seen = new Uint8Array(shorter.length)
      walk(text, (state) => {
        seen[state] = 1
      })
      for (const state of order.toReversed()) if (seen[state] === 1) seen[shorter[state] ?? 0] = 1
      return new Set([...ends].filter(([, state]) => seen[state] === 1).map(([needle]) => needle))
    },
  }
}
