import { expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { now } from '#shared/platform/clock.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { getWhole } from '#shared/uploads/upload-store.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

uploadWorld(
  {
    name: 'phones',
    lookup_column: 'Phone',
    mapping: [
      { to: 'phone_number', from: ['Phone'], transforms: [], required: true },
      { to: 'metadata.first_name', from: ['First Name'], transforms: [], required: false },
      { to: 'metadata.timezone', constant: 'Europe/Paris', transforms: [], required: false },
    ],
  },
  {
    name: 'streets',
    lookup_column: 'Street',
    mapping: [
      { to: 'external_id', from: ['Street'], transforms: ['upper'], required: true },
      { to: 'phone_number', from: ['Phone'], transforms: [], required: true },
      { to: 'metadata.first_name', from: ['First Name'], transforms: [], required: false },
    ],
  },
)

it('the last row of a phone number wins in a file with lanes, however the number is written and whichever lane is read first', async () => {
  const rows = ['+33 1 23 45 67 89,First', '+33 (0)1 23 45 67 89,Second', '+33123456789 x12,Last']
  const { upload_id, message } = await sent(csv(rows, 'Phone,First Name'), { source: 'phones' }, MOST_LANES * LANE_BYTES)
  await work([message])
  for (let lane = MOST_LANES; lane > 0; lane--) await handed([{ upload_id, lane }])
  expect(await uploadNow(upload_id)).toMatchObject({ rows: 3, created: 1, updated: 2, rejected: 0 })
  const { leads } = await getPerson(OWNER, '+33123456789')
  expect(leads).toHaveLength(1)
  expect((await getLead(leads[0]!.id))?.metadata).toMatchObject({ first_name: 'Last' })
})

it('the last row of a lookup value wins in a large file, also if cells become equal only in upper case', async () => {
  // Several values, because two spellings could have one lane, or lanes in the order of their rows.
  const numbers = Array.from({ length: 8 }, (_, index) => 2125551001 + index)
  const rows = numbers.flatMap((phone) => [`Straße ${phone},${phone},First`, `strasse ${phone},${phone},Last`])
  const { upload_id, message } = await sent(csv(rows, 'Street,Phone,First Name'), { source: 'streets' }, MOST_LANES * LANE_BYTES)
  await work([message])
  const { lanes = [] } = (await getWhole(upload_id, now())) ?? {}
  for (const { lane } of lanes) await handed([{ upload_id, lane }])
  expect(await uploadNow(upload_id)).toMatchObject({ rows: 16, created: 8, updated: 8, rejected: 0 })
  for (const phone of numbers) {
    const { leads } = await getPerson(OWNER, `+1${phone}`)
    const [first] = await Promise.all(leads.map(({ id }) => getLead(id)))
    expect(first?.metadata).toMatchObject({ first_name: 'Last' })
  }
})
