import * as v from 'valibot'
import type { Advice, Check, Connection, PlatformAnswer } from '../adapter.ts'
import { ifPresent, readPlatformAnswer } from '../read-answer.ts'
import { blandRequest } from './requests.ts'
import { blandToolAdvice } from './tools.ts'

type Get = (path: string) => Promise<PlatformAnswer>

const Account = v.object({ status: v.string(), billing: ifPresent(v.object({ current_balance: ifPresent(v.number()) })) })

const Numbers = ifPresent(v.array(v.object({ phone_number: ifPresent(v.string()) })))
const Inventory = v.object({ inbound_numbers: Numbers, outbound_numbers: Numbers })

/** Null: the key is valid, and the account may call. */
const accountAdvice = async (get: Get): Promise<Advice | null> => {
  const { status, text } = await get('/v1/me')
  if (status === 401) return { problem: 'Bland rejects the API key. Copy it from the account settings.' }
  if (status === 403) return { problem: 'Bland has blocked the account. Ask its support.' }
  const account = status === 200 ? readPlatformAnswer(Account, text) : undefined
  if (!account) return { problem: `Bland answered ${status}, but not with an account. Check the address of its API, or try again later.` }
  if (account.status !== 'active')
    return { problem: `The status of the account is "${account.status}", not "active". Ask the support of Bland.` }
  const balance = account.billing?.current_balance ?? 1
  return balance > 0 ? null : { problem: `The balance of the account is ${balance}. Buy credits, or switch on the automatic refill.` }
}

const assistantAdvice = async (get: Get, { assistant, settings }: Connection): Promise<Advice[]> => {
  const kind = settings['assistant_type'] === 'persona' ? 'persona' : 'pathway'
  const { status } = await get(`/v1/${kind === 'persona' ? 'personas' : 'pathway'}/${encodeURIComponent(assistant)}`)
  if (status === 200) return []
  const other = kind === 'persona' ? '' : ' If it is a persona, set assistant_type to persona.'
  return [{ problem: `Bland answered ${status} about the ${kind} ${assistant}. Copy its id from the dashboard.${other}` }]
}

const numberAdvice = async (get: Get, numbers: readonly string[]): Promise<Advice[]> => {
  const lists = await Promise.all(
    ['/v1/inbound', '/v1/outbound'].map(async (path) => readPlatformAnswer(Inventory, (await get(path)).text)),
  )
  const owned = lists.flatMap((list) => [...(list?.inbound_numbers ?? []), ...(list?.outbound_numbers ?? [])])
  return numbers
    .filter((number) => !owned.some(({ phone_number }) => phone_number === number))
    .map((number) => ({ problem: `Bland does not list the number ${number}. Buy it there, import it, or remove it from this agent.` }))
}

/** Callback URL, dispositions and analysis come with each call. Only tools must be set up. */
export const checkBland: Check = async (ask, connection, from, callbackUrl, tools) => {
  const get: Get = (path) => ask(blandRequest(connection, 'GET', path))
  const account = await accountAdvice(get)
  if (account) return [account]
  const secret =
    connection.callbackSecret || callbackUrl === null
      ? []
      : [
          {
            problem: 'No webhook secret is set, so every callback is refused. Create one in the account settings of Bland, under "Keys".',
          },
        ]
  const numbers = await numberAdvice(
    get,
    from.map(({ number }) => number),
  )
  const missing = await blandToolAdvice(ask, connection, tools)
  return [...secret, ...(await assistantAdvice(get, connection)), ...numbers, ...missing]
}
