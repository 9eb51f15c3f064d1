import { readUser } from '#shared/accounts/user-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { phonePk } from '#shared/stops/phone-store.ts'
import { unlessMalformed } from './items.ts'

/** Bytes of a phone's hash that are compared. A rare collision only makes a suspect that the check then clears. */
const BYTES = 6

const fingerprint = (pk: string): number => Buffer.from(pk.slice(pk.lastIndexOf('#') + 1), 'base64url').readUIntBE(0, BYTES)

/** Finds leads that may not show a stop of their phone. Keeps two numbers per lead, since a phone item does not name its leads. */
export class Stops {
  readonly #phones: number[] = []
  readonly #leads: number[] = []
  readonly #stopped = new Set<number>()
  readonly #groups = new Map<number, string | undefined>()

  async #groupOf(owner: number): Promise<string | undefined> {
    if (!this.#groups.has(owner)) this.#groups.set(owner, (await unlessMalformed(() => readUser(owner)))?.dnc_group)
    return this.#groups.get(owner)
  }

  stop(pk: string): void {
    this.#stopped.add(fingerprint(pk))
  }

  async lead({ id, owner, phone_number }: Lead): Promise<void> {
    const group = await this.#groupOf(owner)
    if (group === undefined) return
    this.#phones.push(fingerprint(await phonePk(group, phone_number)))
    this.#leads.push(id)
  }

  /** Ids of suspected leads. */
  *suspects(): Iterable<number> {
    for (const [index, lead] of this.#leads.entries()) if (this.#stopped.has(this.#phones[index] ?? 0)) yield lead
  }
}
