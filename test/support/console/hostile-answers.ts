import type { BrowserContext, Page } from 'playwright-core'
import { HOSTILE } from './people.ts'
import { wholeAnswer } from './whole-answer.ts'

/** Fields whose text comes from people, files, agents or receivers. Codes, times and ids are no such texts. */
const FREE_TEXTS = new Set([
  ...['name', 'first_name', 'last_name', 'email', 'external_id', 'lead_source'],
  ...['source', 'summary', 'failure_reason', 'detail', 'agent', 'lookup_column', 'words', 'how', 'seller'],
  ...['url', 'filter_condition', 'response_body', 'error', 'disabled_reason'],
])

/** As long as a text of a lead may be, without a space at which it could be broken. */
const LONG = `${HOSTILE.script}${HOSTILE.image}${HOSTILE.rightToLeft}${'x'.repeat(3900)}`

const METADATA = { [HOSTILE.script]: HOSTILE.image, first_name: LONG, last_name: LONG, long: 'y'.repeat(98_000) }

const hostile = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(hostile)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, part]) => {
    if (name === 'metadata') return [name, METADATA]
    if (name === 'refused_later') return [name, { from: '2026-11-25T00:00:00Z', gate: 'registry', detail: LONG }]
    return [name, typeof part === 'string' && FREE_TEXTS.has(name) ? `${part} ${LONG}` : hostile(part)]
  })
  return Object.fromEntries(entries)
}

/** Adds a hostile and long text to every free text in the answers of the API. */
export const answerHostile = async (context: BrowserContext): Promise<void> => {
  await context.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await wholeAnswer(route)
    const isJson = `${response.headers()['content-type']}`.includes('json')
    await route.fulfill({ response, ...(isJson && { json: hostile(await response.json()) }) })
  })
}

/**
 * Runs in the page: texts that turn the direction of what stands beside them. An element `bdi` isolates a text, and a control or an option
 * holds no other text.
 */
const TURNING = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement
    if (node.data.includes('\\u202E') && !holder.closest('bdi, option, textarea, title')) found.push(holder.outerHTML.slice(0, 200))
  }
  return found
})()`

export const turningTexts = (page: Page): Promise<string[]> => page.evaluate(TURNING)
