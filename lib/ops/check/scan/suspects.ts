import type { Suspect } from '../kind.ts'
import { KINDS } from '../kinds.ts'
import { escaped, ordered, RecordParts } from '../lines/record.ts'

const order = new Map(KINDS.map(({ kind }, index) => [kind, index]))

/** Suspects sort in the order of their kinds. */
export const suspectRecord = ({ kind, where }: Suspect): string => `${ordered(order.get(kind) ?? KINDS.length)}${escaped(where)}`

const parseSuspect = (line: string): Suspect => {
  const parts = new RecordParts(line)
  const kind = KINDS[parts.number()]
  if (!kind) throw new Error(`Not a suspect: ${line}`)
  return { kind: kind.kind, where: parts.escapedRest() }
}

/** Suspects from their sorted records, each once. */
export function* distinctSuspects(lines: Iterable<string>): Generator<Suspect> {
  let previous = ''
  for (const line of lines) {
    if (line !== previous) yield parseSuspect(line)
    previous = line
  }
}
