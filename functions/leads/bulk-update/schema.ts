import * as v from 'valibot'
import { withLeadTypeErrors } from '#shared/accounts/lead-type.ts'
import { fieldErrors, fields, isDictionary } from '#shared/http/fields/field.ts'
import { integerField } from '#shared/http/fields/number.ts'
import { NOT_AN_OBJECT } from '#shared/leads/api/bulk-request.ts'
import { UpdateLead } from '#shared/leads/api/update-lead.ts'
import type { AskedUpdate } from '#shared/leads/bulk/bulk-stops.ts'
import type { Refused } from '#shared/leads/bulk/bulk-update.ts'
import { refusalText } from '#shared/leads/bulk/refusal.ts'
import { invalid } from '#shared/platform/values/errors.ts'

const Target = fields({ id: integerField() })

/** One item of a bulk update: the fields of the single update, and the lead's id. */
export const readLeadUpdate = async (owner: number, item: unknown): Promise<AskedUpdate | Refused> => {
  if (!isDictionary(item)) return { error: NOT_AN_OBJECT }
  const [target, patch] = [v.safeParse(Target, item), v.safeParse(UpdateLead, item)]
  if (target.success && patch.success) return { lead: target.output.id, patch: patch.output }
  const errors = fieldErrors([...(target.issues ?? []), ...(patch.issues ?? [])])
  return { error: refusalText(invalid(await withLeadTypeErrors(owner, item, errors))) }
}
