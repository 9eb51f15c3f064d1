/** A queue ordered by instant; entries of the same instant keep their order. */
export interface Heap<T> {
  push(instant: number, thing: T): void
  pop(): { readonly instant: number; readonly thing: T } | undefined
  /** The earliest instant, or infinity when the heap is empty. */
  next(): number
}

interface Entry<T> {
  readonly instant: number
  readonly place: number
  readonly thing: T
}

const isBefore = (one: Entry<unknown>, other: Entry<unknown>): boolean =>
  one.instant < other.instant || (one.instant === other.instant && one.place < other.place)

export const heap = <T>(): Heap<T> => {
  const entries: Entry<T>[] = []
  let places = 0
  const swap = (one: number, other: number): void => {
    const kept = entries[one]!
    entries[one] = entries[other]!
    entries[other] = kept
  }
  const rise = (from: number): void => {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1
      if (!isBefore(entries[index]!, entries[parent]!)) return
      swap(index, parent)
      index = parent
    }
  }
  const sink = (): void => {
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      let least = index
      if (left < entries.length && isBefore(entries[left]!, entries[least]!)) least = left
      if (right < entries.length && isBefore(entries[right]!, entries[least]!)) least = right
      if (least === index) return
      swap(index, least)
      index = least
    }
  }
  return {
    push: (instant, thing) => {
      entries.push({ instant, place: places++, thing })
      rise(entries.length - 1)
    },
    pop: () => {
      const first = entries[0]
      const last = entries.pop()
      if (!first || !last) return undefined
      if (entries.length > 0) {
        entries[0] = last
        sink()
      }
      return first
    },
    next: () => entries[0]?.instant ?? Number.POSITIVE_INFINITY,
  }
}
