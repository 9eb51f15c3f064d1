import * as v from 'valibot'
import { readUser } from '#shared/accounts/user-store.ts'
import type { Lead } from '#shared/leads/lead.ts'
import { phonePk } from '#shared/stops/phone-store.ts'

/** So many bytes of a phone's hash tell it from others well enough to suspect a lead: a suspect is looked at. */
const BYTES = 6

const fingerprint = (pk: string): number => Buffer.from(pk.slice(pk.lastIndexOf('#') + 1), 'base64url').readUIntBE(0, BYTES)

/** Undefined also of a user that cannot be read, which is told by itself. */
const groupOf = async (owner: number): Promise<string | undefined> => {
  try {
    return (await readUser(owner))?.dnc_group
  } catch (error) {
    if (!v.isValiError(error)) throw error
    return undefined
  }
}

/** Finds leads that show less than their phone is stopped for. Two numbers a lead, as a phone does not tell whose it is. */
export class Stops {
  readonly #phones: number[] = []
  readonly #leads: number[] = []
  readonly #stopped = new Set<number>()
  readonly #groups = new Map<number, string | undefined>()

  async #groupOf(owner: number): Promise<string | undefined> {
    if (!this.#groups.has(owner)) this.#groups.set(owner, await groupOf(owner))
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

  /** Ids of leads to look at. */
  *suspects(): Iterable<number> {
    for (const [index, lead] of this.#leads.entries()) if (this.#stopped.has(this.#phones[index] ?? 0)) yield lead
  }
}
