import { afterAll, describe, expect, it } from '@jest/globals'
import { readAgent } from '#shared/agents/agent-store.ts'
import { COMPANY, variable } from '#test/support/ops.ts'
import { opsWorld } from '#test/support/ops-world.ts'

const { tool } = opsWorld({ prepare: (started) => started.apply(COMPANY) })

const SAME = 'Say hello to the person politely. '.repeat(8)
const withScript = (end: string): string => `users: [{ key: acme, lead_types: [{ key: solar, script: "${SAME}${end}" }] }]`

const NAME = 'OPS_DIFFERENT_SECRET'
const withSecret = `agents: [{ key: voice, secrets: ["${variable(NAME)}"] }]`

const applyWith = async (letter: string, answer?: () => Promise<string>) => {
  process.env[NAME] = `whsec_${letter.repeat(32)}`
  return tool().apply(withSecret, [], answer ? { answer } : {})
}

afterAll(() => {
  delete process.env[NAME]
})

describe('the output for a changed long text', () => {
  it('apply shows the difference in a long text with the text before and after it', async () => {
    await tool().apply(withScript('Never say the price.'))
    const { out } = await tool().apply(withScript(`Always say the price. ${SAME}`), ['--dry-run'])
    expect(out).toMatch(
      /\n {4}script: ….{20,60}politely\. Never say the price\. → ….{20,60}politely\. Always say the price\. Say hello.{20,}…\n/,
    )
    expect(out.split('\n').find((line) => line.includes('script'))!.length).toBeLessThan(400)
  })

  it('apply shows the beginning of a new long text', async () => {
    const { out } = await tool().apply(`users: [{ key: acme, lead_types: [{ key: roofs, script: "${SAME}" }] }]`, ['--dry-run'])
    expect(out).toMatch(/\n {4}script: none → Say hello.{100,}…\n/)
  })

  it('apply says how to see a shortened text whole, and shows it there', async () => {
    const long = `users: [{ key: acme, lead_types: [{ key: roofs, script: "${SAME}" }] }]`
    const HINT = 'Long values are shortened (…). With --json, they are whole.'
    expect((await tool().apply(long, ['--dry-run'])).out).toContain(`\n${HINT}\n`)
    expect((await tool().apply(long, ['--dry-run', '--json'])).out).toContain(SAME.trim())
    expect((await tool().apply(long.replace(SAME, 'Short.'), ['--dry-run'])).out).not.toContain(HINT)
  })
})

describe('a change during the operator’s answer', () => {
  it('apply writes nothing when a setting changed during the question, even in text that is not shown', async () => {
    const end = (word: string): string => `${SAME}${word}`
    await tool().apply(withScript(end('one')))
    const answer = async () => {
      await tool().apply(withScript(end('two')))
      return 'y'
    }
    const { code, err } = await tool().apply(withScript('Another end.'), [], { answer })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has changed since the plan was shown') })
  })

  it('apply writes nothing when a secret changed during the question', async () => {
    await applyWith('A')
    const answer = async () => {
      await applyWith('B')
      process.env[NAME] = `whsec_${'C'.repeat(32)}`
      return 'y'
    }
    const { code, err } = await applyWith('C', answer)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('has changed since the plan was shown') })
    expect(await readAgent('voice')).toMatchObject({ secrets: [`whsec_${'B'.repeat(32)}`] })
    expect(await applyWith('C', async () => 'y')).toMatchObject({ code: 0 })
  })

  it('apply stores the file and its new secrets when nothing changed while it waited for the answer', async () => {
    const made = 'agents: [{ key: other, url: https://other.example.com/ }]'
    expect(await tool().apply(made, [], { answer: () => 'y' })).toMatchObject({ code: 0, out: expect.stringContaining('whsec_') })
  })
})
