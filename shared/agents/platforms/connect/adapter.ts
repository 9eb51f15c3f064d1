import * as v from 'valibot'
import { SECOND } from '../../../platform/values/durations.ts'
import type { Adapter, Ask, Connection, Dial, DialAnswer, PlatformAnswer } from '../adapter.ts'
import { earliestStart, isToOther, latestRequest } from '../own-call.ts'
import { ownCodeTools } from '../own-code.ts'
import { ifPresent, isAccountStatus, isPlatformSuccess, isUsualRefusal, notAccepted, readPlatformAnswer } from '../read-answer.ts'
import { ConnectContact, connectEndReports, translateConnect } from './events.ts'
import { CONNECT_API, connectDial, connectRequest, instanceOf, REGION_FORM } from './request.ts'

const Id = v.pipe(v.string(), v.minLength(1))
const Started = v.object({ ContactId: Id })
const Problem = v.object({ Message: ifPresent(v.string()), message: ifPresent(v.string()), __type: ifPresent(v.string()) })

/** The instance may not call the number's country. This is a matter of quotas, and no fault of the number. */
const NOT_THERE = /destination|not permitted|not allowed/i
/** An error with status 403 that names one contact. */
const ONE_CONTACT = /OutboundContactNotPermitted/
/** Words that may blame the agent's settings. */
const SETTINGS = /instance|flow|source|queue|campaign|traffic|quota/i

const refusal = (status: number, words: string): 'account' | 'call' => {
  if (status === 403) return NOT_THERE.test(words) ? 'call' : 'account'
  return isAccountStatus(status) || SETTINGS.test(words) ? 'account' : 'call'
}

const classify = ({ status, text }: PlatformAnswer): DialAnswer => {
  const started = isPlatformSuccess(status) ? readPlatformAnswer(Started, text) : undefined
  if (started) return { kind: 'accepted', platformCallId: started.ContactId }
  const problem = readPlatformAnswer(Problem, text)
  const words = [problem?.__type, problem?.Message ?? problem?.message].filter(Boolean).join(' ')
  const isWhole = ONE_CONTACT.test(words) ? false : undefined
  return notAccepted({ platform: 'Amazon Connect', status, words, fault: refusal(status, words), isWhole, isRefusal: isUsualRefusal })
}

const Found = v.object({ Contacts: v.array(v.object({ Id, Name: ifPresent(v.string()) })), NextToken: ifPresent(v.string()) })

/** A page has 100 contacts. */
const MOST_PAGES = 10

/**
 * Finds a call by its name. Amazon Connect lists a call only after an agent joined or the call ended, so a call that is not found may still
 * be in progress.
 */
const find = async (ask: Ask, connection: Connection, dial: Dial): Promise<string | null> => {
  const [start, end] = [earliestStart(dial) / SECOND, latestRequest(dial) / SECOND]
  let token: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const { status, text }: PlatformAnswer = await ask(
      connectRequest(connection, 'POST', '/search-contacts', {
        InstanceId: instanceOf(connection),
        TimeRange: { Type: 'INITIATION_TIMESTAMP', StartTime: start, EndTime: end },
        SearchCriteria: { Channels: ['VOICE'], InitiationMethods: ['API'] },
        MaxResults: 100,
        ...(token !== null && { NextToken: token }),
      }),
    )
    const found = status === 200 ? readPlatformAnswer(Found, text) : undefined
    if (!found) throw new Error(`Amazon Connect did not search its contacts, but answered ${status}.`)
    for (const { Id: id, Name } of found.Contacts) {
      if (Name !== dial.callId) continue
      // Another deployment may have placed a call with the same name in this minute: compare the number.
      const { contact } = await describe(ask, connection, id)
      if (!isToOther(contact?.customerEndpoint?.address ?? null, dial.to)) return id
    }
    if (found.NextToken === null) break
    token = found.NextToken
  }
  throw new Error(`Amazon Connect does not show the call ${dial.callId} yet. It may be going on.`)
}

const Described = v.object({ Contact: ConnectContact })

const describe = async (ask: Ask, connection: Connection, id: string) => {
  const path = `/contacts/${encodeURIComponent(instanceOf(connection))}/${encodeURIComponent(id)}`
  const { status, text } = await ask(connectRequest(connection, 'GET', path))
  const isAbsent = (status === 404 || status === 410) && readPlatformAnswer(Problem, text) !== undefined
  return { status, isAbsent, contact: status === 200 ? readPlatformAnswer(Described, text)?.Contact : undefined }
}

/** Stops the contact, also while the phone rings. A contact that is over cannot be stopped. */
const cancel: NonNullable<Adapter['cancel']> = async (ask, connection, { platformCallId }) => {
  if (platformCallId === null) return 'refused'
  const body = { ContactId: platformCallId, InstanceId: instanceOf(connection) }
  const { status } = await ask(connectRequest(connection, 'POST', '/contact/stop', body))
  if (status === 200) return 'taken'
  const { contact } = await describe(ask, connection, platformCallId)
  return contact !== undefined && contact.disconnectTimestamp !== null ? 'taken' : 'failed'
}

const Attributes = v.object({ Attributes: v.record(v.string(), v.string()) })

const attributesOf = async (ask: Ask, connection: Connection, id: string): Promise<Readonly<Record<string, string>>> => {
  const path = `/contact/attributes/${encodeURIComponent(instanceOf(connection))}/${encodeURIComponent(id)}`
  const { status, text } = await ask(connectRequest(connection, 'GET', path))
  const found = status === 200 ? readPlatformAnswer(Attributes, text) : undefined
  if (!found) throw new Error(`Amazon Connect did not return the attributes of contact ${id}, but answered ${status}.`)
  return found.Attributes
}

const poll: NonNullable<Adapter['poll']> = async (ask, connection, platformCallId, at) => {
  const { status, isAbsent, contact } = await describe(ask, connection, platformCallId)
  if (isAbsent) return { kind: 'gone' }
  if (!contact) throw new Error(`Amazon Connect did not return contact ${platformCallId}, but answered ${status}.`)
  const about = { callId: contact.name, calledNumber: contact.customerEndpoint?.address ?? null }
  if (contact.disconnectTimestamp === null) {
    return { kind: 'ongoing', ...about, ...(contact.connectedToSystemTimestamp === null && { isWaiting: true }) }
  }
  const attributes = contact.attributes ?? (await attributesOf(ask, connection, platformCallId))
  const more = connection.callbackSecret === null ? null : 'tool'
  const reports = connectEndReports(platformCallId, { ...contact, attributes }, new Date(at).toISOString(), more)
  return { kind: 'translated', translation: { ...about, platformCallId, ...reports } }
}

/**
 * A contact flow speaks. `ClientToken` is set, but a request is never repeated. AWS documents that the same token starts another call once
 * the first one is over.
 */
export const connectAdapter: Adapter = {
  api: CONNECT_API,
  isKeyless: true,
  // A tool request carries no other proof of its sender.
  callbackSecret: {
    pattern: /^.{20,}$/s,
    rule: 'The secret has fewer than 20 characters, so it can be guessed. Choose a long random one, and set it at the platform too.',
  },
  settings: {
    region: {
      about: 'The region of the instance, such as us-east-1.',
      form: { pattern: REGION_FORM, rule: 'A region of AWS is required, such as us-east-1.' },
    },
    instance_id: {
      about: 'The id of the instance: the last part of its ARN.',
      form: {
        pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
        rule: 'A UUID is required: the last part of the ARN of the instance.',
      },
    },
    machine_detection: {
      about: '`on` if a machine must be recognised. Amazon Connect then counts the call as one of a campaign.',
      isOptional: true,
      values: ['on', 'off'],
    },
  },
  repeats: { kind: 'findable' },
  request: connectDial,
  classify,
  find,
  cancel,
  // Events come through EventBridge, whose rule is trusted. Callbacks over HTTP are always refused.
  verify: () => false,
  translate: translateConnect,
  poll,
  tools: ownCodeTools,
}
