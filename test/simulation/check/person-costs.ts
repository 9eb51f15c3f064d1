import { getLead } from '#shared/leads/lead-store.ts'
import { parseCallId } from '#shared/platform/keys.ts'
import type { startOps } from '#test/support/ops.ts'
import type { Ground } from '#test/support/uncalled-damage.ts'
import { unitsOf } from '#test/support/units.ts'

/** Creates a person who has been called, and exports and erases it by keys. @returns the read units of both */
export const personCosts = async ({ ops }: Awaited<ReturnType<typeof startOps>>, ground: Ground) => {
  const lead = await getLead(parseCallId(await ground.endedCall())?.lead ?? 0)
  const phone = `${lead?.phone_number}`
  const readBy = async (...args: string[]): Promise<number> => {
    const { read } = await unitsOf(async () => {
      const { code, out, err } = await ops(args)
      if (code !== 0 || !out.includes(phone)) throw new Error(`${args[0]} ended with ${code}: ${err}`)
    })
    return read
  }
  return { 'export units': await readBy('export', phone), 'erasure units': await readBy('erase', phone, '--yes', '--json') }
}
