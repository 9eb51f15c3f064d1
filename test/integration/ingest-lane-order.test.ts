import { expect, it } from '@jest/globals'
import { getLead } from '#shared/leads/lead-store.ts'
import { getPerson } from '#shared/leads/person-store.ts'
import { LANE_BYTES, MOST_LANES } from '#shared/uploads/rules/lanes.ts'
import { uploadWorld } from '#test/support/upload-world.ts'
import { csv, handed, sent, uploadNow, work } from '#test/support/uploads.ts'
import { OWNER } from '#test/support/world.ts'

uploadWorld({
  name: 'phones',
  lookup_column: 'Phone',
  mapping: [
    { to: 'phone_number', from: ['Phone'], transforms: [], required: true },
    { to: 'metadata.first_name', from: ['First Name'], transforms: [], required: false },
    { to: 'metadata.timezone', constant: 'Europe/Paris', transforms: [], required: false },
  ],
})

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
