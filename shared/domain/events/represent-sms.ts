import type { Sms } from '../../schema/sms.ts'
import { formatInstant } from '../time.ts'

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
