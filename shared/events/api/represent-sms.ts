import { formatInstant } from '../../platform/values/time.ts'
import type { Sms } from '../sms.ts'

/** A text message as webhooks carry it. */
export const representSms = ({ sms_id, call_id, phone_number, direction, body, status, time }: Sms) => ({
  sms_id,
  call_id,
  phone_number,
  direction,
  body,
  status,
  time: formatInstant(time),
})
