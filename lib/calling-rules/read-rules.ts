import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { CallingRules } from '#shared/calling/rules/calling-rules.ts'

const SOURCE = resolve(import.meta.dirname, '../../shared/data/calling-rules.json')

/** The rules of this project, with all their texts. */
export const presentRules = (): CallingRules =>
  v.parse(v.pipe(v.string(), v.parseJson(), CallingRules), readFileSync(SOURCE, 'utf8'))
