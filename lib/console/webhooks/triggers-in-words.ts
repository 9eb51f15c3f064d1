import type { Trigger } from '../../client/operations.ts'
import { texts } from '../texts.ts'

export const triggersInWords = (triggers: readonly Trigger[]): string => triggers.map((one) => texts.triggers[one]).join(', ')
