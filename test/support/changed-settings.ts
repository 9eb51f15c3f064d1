import { beforeEach } from '@jest/globals'
import { handler as dispatchDue } from '#functions/workers/dispatch-due.ts'
import type { LeadType } from '#shared/accounts/configuration.ts'
import { saveLeadType } from '#shared/accounts/lead-type-store.ts'
import { changeUserSettings } from '#shared/accounts/user-store.ts'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { MINUTE } from '#shared/platform/values/durations.ts'
import { callWorld } from './agent-calls.ts'
import { forgetConfiguration } from './cache-clock.ts'
import { setClock } from './clock.ts'
import { NOON, sampleLeadType } from './samples.ts'
import { OWNER } from './world.ts'

/** A world in which tests change settings. Each test starts with the default settings. */
export const settingsWorld = (groupOfOther?: string) => {
  const calls = callWorld(undefined, groupOfOther)
  const { placeQueued } = calls

  const saveType = (changes: Partial<LeadType> = {}) => saveLeadType(sampleLeadType({ owner: OWNER, ...changes }))

  const openAccount = () => changeUserSettings(OWNER, { calling_hours: null })

  /** Restores the default settings and works off what is left. Each test starts at noon. */
  beforeEach(async () => {
    await saveType()
    await openAccount()
    await saveEmergencies([])
    forgetConfiguration()
    for (const minutes of [20, 30]) {
      setClock(NOON + minutes * MINUTE)
      await dispatchDue()
      await placeQueued()
    }
    setClock(NOON)
  })

  /** Changes a setting, and runs the sweep one minute later. */
  const change = async (at: number, write: () => Promise<unknown>): Promise<void> => {
    setClock(at)
    await write()
    forgetConfiguration()
    setClock(at + MINUTE)
    await dispatchDue()
    await placeQueued()
  }

  return { ...calls, saveType, openAccount, change }
}
