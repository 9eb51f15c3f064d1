import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SLOW_AFTER } from '#shared/webhooks/rules/pace.ts'
import { type ReceivedRequest, type Receiver, type ReceiverAnswer, startReceiver } from '#test/support/receiver.ts'
import { type Service, startService, until } from '#test/support/service.ts'
import { asking } from './asking.ts'
import { exerciseCalls } from './exercise-calls.ts'
import { BUSY, BUSY_SHORTLY, exerciseLeads, exerciseLeadsLater, exerciseWebhooks, FAILING, SLOW } from './exercise-leads.ts'
import { exerciseEmergencyEnd, exerciseLines } from './exercise-lines.ts'
import { exercisePlatforms } from './exercise-platforms.ts'
import { exerciseRequests } from './exercise-requests.ts'
import { exerciseRest } from './exercise-rest.ts'
import { leaveTakings } from './leave-takings.ts'

/** 11:00 in New York. */
const NOW = '2026-11-20T16:00:00Z'
/** Late enough for a closed lead to be reopened, and for delayed webhooks to be due. */
const LATER = '2027-01-05T16:00:00Z'

const running = async <T>(directory: string, now: string, use: (service: Service) => Promise<T>): Promise<T> => {
  const service = await startService(['--port', '0', '--data', directory, '--now', now])
  try {
    return await use(service)
  } finally {
    await service.end()
  }
}

const uploadNow = async (service: Service): Promise<string> => {
  const { upload_id } = await asking(service)('POST', '/api/ingestion/upload/', {
    source: service.uploadSource,
    filename: 'never-sent.csv',
  })
  return `${upload_id}`
}

/** Waits until the sweep has given up a file that was never sent. It does so together with everything else that is a day old. */
const isGivenUp = (service: Service, upload: string) =>
  until(
    () => asking(service)('GET', `/api/ingestion/uploads/${upload}/`),
    ({ status }) => status === 'failed',
  )

/** Seconds. Each minute, a sweep sends what is due in this time. */
const SHORTLY = 100

const respond = async ({ path }: ReceivedRequest): Promise<ReceiverAnswer> => {
  if (path === SLOW) await sleep(SLOW_AFTER + 200)
  if (path === FAILING) return { status: 500 }
  if (path === BUSY_SHORTLY) return { status: 503, headers: { 'retry-after': `${SHORTLY}` } }
  return path === BUSY ? { status: 503, headers: { 'retry-after': '3600' } } : {}
}

/** Waits until a webhook was sent again: by then, a sweep has sent a message about it. */
const isSentAgain = ({ requests }: Receiver) =>
  until(
    () => requests.filter(({ path }) => path === BUSY_SHORTLY).map(({ headers }) => headers['webhook-id']),
    (sent) => new Set(sent).size < sent.length,
  )

/** Makes each function do everything it can, except what follows a fault. */
export const exercise = async (say: (line: string) => void): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'permissions-'))
  const receiver = await startReceiver({ respond })
  try {
    const upload = await running(directory, NOW, async (service) => {
      say('Many lines, and settings that hold leads back.')
      await exerciseLines(service, directory)
      say('Voice platforms.')
      await exercisePlatforms(service, directory)
      say('Leads that come once and again.')
      await exerciseLeads(service)
      say('Webhooks.')
      await exerciseWebhooks(service, receiver.url)
      say('Calls, and what stops them.')
      await exerciseCalls(service, directory)
      say('What else clients ask for.')
      await exerciseRest(service)
      say('Requests, a hundred of each.')
      await exerciseRequests(service)
      say('A webhook that is sent again.')
      await isSentAgain(receiver)
      return uploadNow(service)
    })
    await running(directory, LATER, async (service) => {
      say('Leads that come after a long time.')
      await leaveTakings(service)
      await exerciseLeadsLater(service, directory)
      say('The end of an emergency.')
      await exerciseEmergencyEnd(service, directory)
      say('A file that never came.')
      await isGivenUp(service, upload)
    })
  } finally {
    await receiver.close()
    await rm(directory, { recursive: true, force: true })
  }
}
