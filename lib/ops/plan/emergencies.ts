import { isDeepStrictEqual } from 'node:util'
import { saveEmergencies } from '#shared/backlog/emergency-store.ts'
import { readUsState } from '#shared/location/rules/state.ts'
import type { Texts } from '../configuration/declared.ts'
import type { Planning } from './planning.ts'

/** Plans the states in which a declared emergency bars all calls. The file's list replaces the stored one. */
export const planEmergencies = (planning: Planning, said: Texts | undefined): void => {
  if (said === undefined) return
  const { state, mistakes, changes } = planning
  const codes = said.flatMap(([at, text]) => {
    const { value, remark } = readUsState(text)
    if (value === undefined) mistakes.add(['emergencies', at], remark ?? 'A state is required.')
    return value ?? []
  })
  const after = [...new Set(codes)].sort()
  if (isDeepStrictEqual(after, state.emergencies)) {
    planning.unchanged += 1
    return
  }
  const fields = [{ field: 'states', old: state.emergencies, new: after }]
  changes.push({ change: 'changed', kind: 'emergencies', name: '', fields, write: () => saveEmergencies(after) })
}
