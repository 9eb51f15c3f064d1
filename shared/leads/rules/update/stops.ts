import type { UpdateLead } from '../../api/update-lead.ts'
import { isCallable } from '../status.ts'

/** Whether an update sets anything at all. */
export const setsAnything = (patch: UpdateLead): boolean => Object.values(patch).some((value) => value !== undefined)

/**
 * What of an update stops contact, and what is left when that is written: a status in which a lead is not called, with its
 * detail, and "do not contact" raised. The latter is left as well when the phone number changes: it is meant for the new one too.
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
