import { describe, expect, it } from '@jest/globals'
import { unknownFilterFields } from '#shared/webhooks/rules/filter/unknown-fields.ts'

const found = (condition: string) => unknownFilterFields(condition).map(({ field, hint }) => [field, hint])

describe('a field of a filter that no payload has', () => {
  it.each([
    ['status == OPEN', [['OPEN', "'OPEN'"]]],
    ['status == open', [['open', "'open'"]]],
    ['OPEN != status', [['OPEN', "'OPEN'"]]],
    ["status == 'OPEN' or LOST", [['LOST', "'LOST'"]]],
    ['metadata.color == red and us_state == NY', [...[['red', "'red'"]], ['NY', "'NY'"]]],
    ['last_chat.outcome == COMPLETED', [['COMPLETED', "'COMPLETED'"]]],
    ["get('us_state', NY) != 'CA'", [['NY', "'NY'"]]],
    ['(status) == (OPEN)', [['OPEN', "'OPEN'"]]],
    ["stauts == 'OPEN'", [['stauts', 'status']]],
    ["usState == 'NY'", [['usState', 'us_state']]],
    ["lastChat['is_contact']", [['lastChat', 'last_chat']]],
    ["has('first_name') and get('zip') == '10001'", [...[['first_name', 'metadata.first_name']], ['zip', 'metadata.zip']]],
    ["(first_name or email) == 'Ann'", [['first_name', 'metadata.first_name']]],
    ['__proto__ == constructor.name', [...[['__proto__', 'metadata.__proto__']], ['constructor', 'metadata.constructor']]],
    ['status == OPEN or status_detail == OPEN', [['OPEN', "'OPEN'"]]],
  ])('an unknown field of a filter is named with what was probably meant: %s', (condition, unknown) => {
    expect(found(condition)).toEqual(unknown)
  })

  it.each([
    '',
    ' ',
    "status == 'OPEN'",
    'call_dnc',
    "last_chat['is_contact'] == true and get('us_state', 'NY') != 'CA'",
    "has('external_id') and (status == 'CLOSED' or status == 'SCHEDULE_COMPLETED')",
    "trigger == 'SMS_COMPLETE' and sms.direction == 'inbound' and call.attempt == 1",
    "metadata.anything == 'x' and metadata.us_state == us_state and last_chat.unheard_of == null",
    "(email or phone_number) == 'x' and get('metadata')['zip'] and test != true and event_time != sequence",
  ])('there is no unknown field in the filter %j', (condition) => {
    expect(found(condition)).toEqual([])
  })
})
