import { appendFileSync } from 'node:fs'
import { saveAgent } from '#shared/agents/agent-store.ts'
import { sealCredentials } from '#shared/agents/credentials.ts'
import type { Emulator } from './platforms/emulator.ts'
import type { TrialPlatform } from './platforms/trial-platforms.ts'
import { NOON } from './samples.ts'

/** A clock that goes on only while the tool waits. */
export const waitingClock = (settled: () => Promise<unknown> = async () => {}, start = NOON) => {
  let time = start
  let pauses = 0
  let interrupt = (): void => {}
  let interruptAt = Number.POSITIVE_INFINITY
  return {
    now: () => time,
    pause: async (milliseconds: number): Promise<void> => {
      await settled()
      time += milliseconds
      if (++pauses >= interruptAt) interrupt()
    },
    onInterrupt: (listener: () => void) => {
      interrupt = listener
      return () => {}
    },
    /** Presses Ctrl-C in this pause. */
    interruptIn: (pause: number): void => {
      interruptAt = pause
    },
  }
}

/** Differences from an agent in which nothing is wrong. */
export interface Wrong {
  readonly url?: string
  readonly apiKey?: string
  readonly assistant?: string
  readonly from?: TrialPlatform['from']
  readonly callbackSecret?: string | null
  readonly settings?: TrialPlatform['settings']
}

let serial = 0
type Account = Pick<TrialPlatform, 'name' | 'apiKey' | 'callbackSecret' | 'assistant' | 'from' | 'settings'>

/** Stores an agent on an emulated platform. @returns its key */
export const savePlatformAgent = async (one: Account, platform: Pick<Emulator, 'url'>, wrong: Wrong = {}): Promise<string> => {
  const id = `${one.name}-${++serial}`
  const { url = platform.url, apiKey = one.apiKey, assistant = one.assistant, from = one.from, settings = one.settings } = wrong
  const credentials = await sealCredentials(id, { api_key: apiKey, callback_secret: wrong.callbackSecret ?? one.callbackSecret })
  const { name } = one
  await saveAgent({
    ...{ id, url, secrets: [] },
    platform: { name, assistant, from: [from], settings, credentials, credentials_hash: '', longest_call_seconds: 600 },
  })
  return id
}

interface Said {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Without what differs between two runs. */
const steady = (text: string): string =>
  text
    .replace(/try-[0-9a-f-]{36}/g, 'try-ID')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:PORT')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, 'UUID')

/** Adds what the tool printed to the file that TRIAL_OUTPUT names, to be read by people. */
export const shown = (command: string, { code, out, err }: Said): Said => {
  const file = process.env['TRIAL_OUTPUT']
  if (file) {
    const errors = err === '' ? '' : err.replace(/^(?=.)/gm, '! ')
    appendFileSync(file, `$ npm run ops -- ${command}\n${out}${errors}(exit code ${code})\n\n`)
  }
  return { code, out: steady(out), err: steady(err) }
}
