import * as v from 'valibot'
import { invalid } from '#shared/domain/errors.ts'
import type { AskedUpdate } from '#shared/operations/bulk-stops.ts'
import type { Refused } from '#shared/operations/bulk-update.ts'
import { withLeadTypeErrors } from '#shared/operations/lead-type.ts'
import { refusalText } from '#shared/operations/refusal.ts'
import { fieldErrors, fields, isDictionary } from '#shared/schema/fields/field.ts'
import { integerField } from '#shared/schema/fields/number.ts'
import { NOT_AN_OBJECT } from '#shared/schema/requests/bulk.ts'
import { UpdateLead } from '#shared/schema/requests/update-lead.ts'

const Target = fields({ id: integerField() })

/** One item of a bulk update: the fields of the single update, and the id of its lead. */
export const readItem = async (owner: number, item: unknown): Promise<AskedUpdate | Refused> => {
  if (!isDictionary(item)) return { error: NOT_AN_OBJECT }
  const [target, patch] = [v.safeParse(Target, item), v.safeParse(UpdateLead, item)]
  if (target.success && patch.success) return { lead: target.output.id, patch: patch.output }
  const errors = fieldErrors([...(target.issues ?? []), ...(patch.issues ?? [])])
  return { error: refusalText(invalid(await withLeadTypeErrors(owner, item, errors))) }
}
