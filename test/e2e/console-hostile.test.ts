import { describe, expect, it } from '@jest/globals'
import { answerHostile, turningTexts } from '#test/support/console/hostile-answers.ts'
import { HOSTILE } from '#test/support/console/people.ts'
import { consoleViews } from '#test/support/console/views.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const alarms: string[] = []

const world = consoleWorld({
  prepare: async (context) => {
    alarms.length = 0
    context.on('dialog', (dialog) => alarms.push(dialog.message()))
    context.on('weberror', (failure) => alarms.push(`${failure.error()}`))
    context.on('console', (line) => {
      if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) alarms.push(line.text())
    })
    await answerHostile(context)
  },
})

/** Views without texts of other people outside of their inputs. */
const OWN_TEXTS_ONLY = ['sign-in', 'new-lead', 'edit-lead', 'new-webhook', 'filter']

describe('a hostile text in every field of every answer', () => {
  it.each(consoleViews(world).map((view) => [view.name, view] as const))(
    'hostile texts in the view %s are shown as texts, turn nothing around, and keep the width of a phone',
    async (name, view) => {
      const page = await view.open()
      await page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
      await page.setViewportSize({ width: 390, height: 844 })
      expect({
        alarms,
        images: await page.locator('img').count(),
        taken: (await page.title()).includes('taken'),
        sideways: await page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)'),
        turning: await turningTexts(page),
      }).toEqual({ alarms: [], images: 0, taken: false, sideways: 0, turning: [] })
      if (!OWN_TEXTS_ONLY.includes(name)) expect(await page.getByText(HOSTILE.script).count()).toBeGreaterThan(0)
    },
  )
})
