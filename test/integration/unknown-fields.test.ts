import { describe, expect, it } from '@jest/globals'
import { handler as updateLiveCall } from '#functions/calls/live.ts'
import { handler as enter } from '#functions/dnc/create.ts'
import { handler as createUpload } from '#functions/ingestion/upload.ts'
import { handler as bulkCreate } from '#functions/leads/bulk-create.ts'
import { handler as bulkUpdate } from '#functions/leads/bulk-update.ts'
import { handler as schedule } from '#functions/leads/schedule-call.ts'
import { handler as rotate } from '#functions/users/rotate-webhook-secret.ts'
import { handler as checkFilter } from '#functions/webhooks/check-filter.ts'
import { handler as subscribe } from '#functions/webhooks/create.ts'
import { handler as deleteByUrl } from '#functions/webhooks/delete-by-url.ts'
import { handler as enable } from '#functions/webhooks/enable.ts'
import { handler as replay } from '#functions/webhooks/replay.ts'
import { handler as resend } from '#functions/webhooks/resend.ts'
import { handler as sendTest } from '#functions/webhooks/test.ts'
import { callWorld } from '#test/support/agent-calls.ts'
import { helped } from '#test/support/helped.ts'
import { created, leadNow, newPhone, phoneOf } from '#test/support/lead-requests.ts'
import { ownUser, pause, unpause } from '#test/support/pauses.ts'
import { OWNER, request } from '#test/support/world.ts'

const { inCall } = callWorld()

type Handler = Parameters<typeof request>[0]

const post = (handler: Handler, body: unknown, parameters: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  request(handler, { method: 'POST', path: '/api/some/path/', parameters, headers, body })

const scheduled = (id: number, body: unknown, headers = {}) => post(schedule, body, { id: `${id}` }, headers)

const didYouMean = (field: string) => [`Unknown field. Did you mean \`${field}\`?`]
const NO_FIELDS = ['Unknown field. This request takes no fields.']
const HOOK = { url: 'http://127.0.0.1:1/hook', trigger: ['LEAD_CREATED'] }

describe('an unknown field', () => {
  it.each(['time', 'call_tiem', 'callTime', 'next_call_time'])(
    'scheduling a call refuses an unknown field, and the lead stays unchanged: %s',
    async (name) => {
      const lead = await created({ call_schedule_start_time: '2026-11-20T18:00:00Z' })
      const answer = await scheduled(lead.id, { [name]: '2026-11-20T20:00:00Z' })
      expect(answer).toMatchObject({ status: 400, body: { [name]: didYouMean('call_time') } })
      expect(await leadNow(lead.id)).toEqual(lead)
    },
  )

  it('a refused unknown field gets the list of known fields when no name is similar', async () => {
    const { id } = await created()
    const { status, body } = await scheduled(id, { when: 'tomorrow' })
    expect({ status, body }).toEqual({ status: 400, body: { when: ['Unknown field. The fields are: `call_time`.'] } })
  })

  it.each(['toString', 'constructor', '__proto__', ''])('an unknown field is reported by name, however unusual: "%s"', async (name) => {
    const { id } = await created()
    const { status, body } = await scheduled(id, JSON.parse(`{"${name}": 1}`))
    expect({ status, fields: Object.entries(body) }).toEqual({
      status: 400,
      fields: [[name, [expect.stringMatching(/^Unknown field\. /)]]],
    })
  })

  it('a pause with an unknown field is refused and does not start', async () => {
    const answer = await pause(OWNER, { only_exsting_leads: true })
    expect(answer).toMatchObject({ status: 400, body: { only_exsting_leads: didYouMean('only_existing_leads') } })
    expect(await ownUser()).toMatchObject({ paused: false, paused_existing_leads: false })
  })

  it('the end of a pause with an unknown field is refused, and the pause continues', async () => {
    await pause(OWNER)
    expect(await unpause(OWNER, { only_existing_leads: true })).toMatchObject({ status: 400, body: { only_existing_leads: NO_FIELDS } })
    expect(await ownUser()).toMatchObject({ paused: true })
    expect(await unpause(OWNER)).toMatchObject({ status: 202 })
  })

  it('the do-not-contact list refuses an unknown field together with all other errors', async () => {
    const phone = newPhone()
    const answer = await post(enter, { phone_number: phone, call_dcn: false, sms: true, sms_dnc: 'perhaps' })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body).toEqual({
      sms_dnc: [helped('Must be a valid boolean. …')],
      call_dcn: didYouMean('call_dnc'),
      sms: didYouMean('sms_dnc'),
    })
    expect(await phoneOf(phone)).toMatchObject({ call_dnc: false, sms_dnc: false })
  })

  it('the update of a live call refuses unknown fields', async () => {
    const { lead, call } = await inCall()
    const answer = await post(updateLiveCall, { call_id: call, externalId: 'x', lead })
    expect(answer).toMatchObject({ status: 400, body: { externalId: didYouMean('external_id'), lead: didYouMean('lead_id') } })
  })

  it.each<[string, Handler, object, object]>([
    ['a subscription', subscribe, { ...HOOK, filter: "has('a')" }, { filter: didYouMean('filter_condition') }],
    ['a deletion by URL', deleteByUrl, { url: HOOK.url, urls: [] }, { urls: didYouMean('url') }],
    ['a filter check', checkFilter, { filter_condition: '', payload: {}, lead: 3 }, { lead: didYouMean('lead_id') }],
    ['a replay', replay, { lead_ids: [1], triggers: ['CALL_COMPLETE'], trigger: [] }, { trigger: didYouMean('triggers') }],
    ['an upload', createUpload, { source: 'a', filename: 'a.csv', sources: 'b' }, { sources: didYouMean('source') }],
    ['a new secret', rotate, { keep: true }, { keep: NO_FIELDS }],
    ['the leads of a bulk create', bulkCreate, { leads: [], lead_type: 3 }, { lead_type: ['Unknown field. The fields are: `leads`.'] }],
    ['the leads of a bulk update', bulkUpdate, { leads: [], status: 'LOST' }, { status: ['Unknown field. The fields are: `leads`.'] }],
  ])('an unknown field is refused next to the fields of %s', async (_, handler, body, errors) => {
    const { status, body: answer } = await post(handler, body)
    expect({ status, answer }).toMatchObject({ status: 400, answer: errors })
  })

  it('testing or enabling a subscription and resending a delivery refuse an unknown field', async () => {
    const { body: hook } = await post(subscribe, HOOK)
    const { body: delivery } = await post(sendTest, {}, { id: `${hook.id}` })
    for (const handler of [sendTest, enable, resend]) {
      const answer = await post(handler, { trigger: 'CALL_ENDED' }, { id: `${hook.id}`, delivery_id: delivery.delivery_id })
      expect(answer).toMatchObject({ status: 400, body: { trigger: NO_FIELDS } })
    }
  })

  it('an unknown field is not reported when the path leads to a 404', async () => {
    const { body: hook } = await post(subscribe, HOOK)
    const missing = { id: '2000000000', delivery_id: 'd' }
    for (const handler of [sendTest, enable, resend]) {
      expect(await post(handler, { trigger: 'CALL_ENDED' }, missing)).toMatchObject({ status: 404 })
    }
    expect(await post(resend, { trigger: 'CALL_ENDED' }, { ...missing, id: `${hook.id}` })).toMatchObject({ status: 404 })
  })

  it('a request with many unknown fields reports twenty of them', async () => {
    const { id } = await created()
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field_${at}`, at]))
    const { status, body } = await scheduled(id, many)
    expect({ status, fields: Object.keys(body) }).toEqual({ status: 400, fields: Object.keys(many).slice(0, 20) })
  })

  it('a long unknown field is reported with a shortened name', async () => {
    const { id } = await created()
    const long = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`${at}${'a'.repeat(700_000)}`, at]))
    const { status, body } = await scheduled(id, long)
    expect({ status, lengths: Object.keys(body).map(({ length }) => length) }).toEqual({ status: 400, lengths: Array(5).fill(101) })
  })
})

describe('a harmless extra field', () => {
  it('the CSRF token of a form is ignored as an unknown field', async () => {
    const { id } = await created()
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await scheduled(id, 'csrfmiddlewaretoken=abc&call_time=2026-11-20T20%3A00%3A00Z', form)
    expect(answer).toMatchObject({ status: 200, body: { next_call_time: '2026-11-20T20:00:00.000000+00:00' } })
  })

  it('an unknown field is ignored when the service itself returned it in a subscription', async () => {
    const { body: hook } = await post(subscribe, HOOK)
    expect(await post(subscribe, hook)).toMatchObject({ status: 201, body: { ...HOOK, id: expect.any(Number) } })
  })
})
