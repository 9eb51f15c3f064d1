import type { UpdateLead } from '../../api/update-lead.ts'
import { isCallable } from '../status.ts'

/** Whether an update sets anything. */
export const setsAnything = (patch: UpdateLead): boolean => Object.values(patch).some((value) => value !== undefined)

/**
 * Splits an update into the part that stops contact and the rest. The first part is a status in which a lead is not called, with its
 * detail, and raised "do not contact" flags. When the phone number changes, the flags are in both parts: they apply to the new phone too.
 */
export const splitStops = (patch: UpdateLead): { readonly stops: UpdateLead; readonly rest: UpdateLead } => {
  const { status, status_detail, call_dnc, sms_dnc, phone_number } = patch
  const ends = status !== undefined && !isCallable(status)
  const stays = phone_number === undefined
  return {
    stops: {
      ...(ends && { status, status_detail }),
      ...(call_dnc && { call_dnc }),
      ...(sms_dnc && { sms_dnc }),
    },
    rest: {
      ...patch,
      ...(ends && { status: undefined, status_detail: undefined }),
      ...(call_dnc && stays && { call_dnc: undefined }),
      ...(sms_dnc && stays && { sms_dnc: undefined }),
    },
  }
}
