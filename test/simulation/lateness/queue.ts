import type { Chance } from './chance.ts'
import { type Group, nextGroup } from './message-groups.ts'
import type { VirtualTime } from './virtual-time.ts'

export interface QueueMessage {
  readonly id: string
  readonly body: string
  readonly group: string
  readonly sent: number
  receives: number
  /** When it becomes visible again. */
  visible: number
  isDeleted: boolean
}

export interface QueueOptions {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly visibilitySeconds: number
  readonly maxReceives: number
  /** Whether a group with many messages in flight comes after the others, as in SQS fair queues. If not, the oldest message comes first. */
  readonly isFair: boolean
  /** Share of messages that are delivered twice. */
  readonly duplicates: number
  /** Extra delay of all messages. Milliseconds. */
  readonly lateness: number
}

export interface VirtualQueue {
  send(body: string, group: string, delaySeconds: number): void
  /** Receives up to `count` visible messages, and hides them. */
  receive(count: number): QueueMessage[]
  hide(id: string, seconds: number): void
  delete(message: QueueMessage): void
  /** Number of visible messages. */
  waiting(): number
  /** Sets a callback for when a message becomes visible. */
  onReady(action: () => void): void
  /** `emptied`: when no message waited any more, after the most had waited. Null: not yet. */
  readonly counts: {
    sent: number
    received: number
    duplicates: number
    deadLetters: number
    mostWaiting: number
    emptied: number | null
  }
}

/** Milliseconds until a sent message is visible. */
const HOP = [5, 30] as const
/** Milliseconds until a duplicate is visible. */
const DUPLICATE_AFTER = [0, 30_000] as const

/** A standard queue: at-least-once delivery, no strict order, and received messages are hidden. */
export const virtualQueue = ({
  time,
  chance,
  visibilitySeconds,
  maxReceives,
  isFair,
  duplicates,
  lateness,
}: QueueOptions): VirtualQueue => {
  const groups = new Map<string, Group<QueueMessage>>()
  const messages = new Map<string, QueueMessage>()
  const counts: VirtualQueue['counts'] = { sent: 0, received: 0, duplicates: 0, deadLetters: 0, mostWaiting: 0, emptied: null }
  let made = 0
  let waiting = 0
  let ready: () => void = () => undefined

  const groupOf = ({ group }: Pick<QueueMessage, 'group'>): Group<QueueMessage> => {
    const known = groups.get(group) ?? { ready: [], inFlight: 0 }
    groups.set(group, known)
    return known
  }
  const show = (message: QueueMessage): void => {
    groupOf(message).ready.push(message)
    waiting++
    if (waiting > counts.mostWaiting) Object.assign(counts, { mostWaiting: waiting, emptied: null })
    ready()
  }
  const enter = (body: string, group: string, instant: number): void => {
    const message = { id: `${++made}`, body, group, sent: time.now(), receives: 0, visible: instant, isDeleted: false }
    messages.set(message.id, message)
    time.at(instant, () => show(message))
  }
  /** Shows a message again if its consumer has not deleted it in time. */
  const comeBack = (message: QueueMessage): void => {
    const { visible } = message
    time.at(visible, () => {
      if (message.isDeleted || message.visible !== visible) return
      groupOf(message).inFlight--
      if (message.receives < maxReceives) show(message)
      else counts.deadLetters++
    })
  }
  const receiveOne = (): QueueMessage | undefined => {
    const group = nextGroup(groups.values(), isFair)
    const message = group?.ready.shift()
    if (!group || !message) return undefined
    waiting--
    if (waiting === 0) counts.emptied ??= time.now()
    group.inFlight++
    message.receives++
    message.visible = time.now() + visibilitySeconds * 1000
    comeBack(message)
    counts.received++
    return message
  }

  return {
    counts,
    send: (body, group, delaySeconds) => {
      counts.sent++
      const instant = time.now() + delaySeconds * 1000 + chance.between(...HOP) + lateness
      enter(body, group, instant)
      if (!chance.happens(duplicates)) return
      counts.duplicates++
      enter(body, group, instant + chance.between(...DUPLICATE_AFTER))
    },
    receive: (count) => Array.from({ length: count }, receiveOne).filter((message) => message !== undefined),
    hide: (id, seconds) => {
      const message = messages.get(id)
      if (!message || message.isDeleted || message.visible <= time.now()) return
      message.visible = time.now() + seconds * 1000
      comeBack(message)
    },
    delete: (message) => {
      if (message.isDeleted) return
      message.isDeleted = true
      messages.delete(message.id)
      const group = groupOf(message)
      if (message.visible > time.now()) {
        group.inFlight--
        return
      }
      const place = group.ready.indexOf(message)
      if (place >= 0) waiting -= group.ready.splice(place, 1).length
    },
    waiting: () => waiting,
    onReady: (action) => {
      ready = action
    },
  }
}
