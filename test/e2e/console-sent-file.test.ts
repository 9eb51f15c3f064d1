import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { csvFile, fact, goodRow, send, whenDone } from '#test/support/console/upload-files.ts'
import { wholeAnswer } from '#test/support/console/whole-answer.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { enter } = consoleWorld()

/** Answers as if the service had not begun to read any file, because its workers read other ones. */
const keepUnread = (page: Page): Promise<unknown> =>
  page.route(/\/uploads\/[\da-f-]{36}\/$/, async (route) => {
    const response = await wholeAnswer(route)
    await route.fulfill({ response, json: { ...(await response.json()), status: 'waiting', finished_time: null } })
  })

describe('a file that was just sent', () => {
  it('the tab that has sent a file says that the file has arrived, while the service has not begun to read it', async () => {
    const page = await enter('uploads')
    await keepUnread(page)
    await send(page, csvFile([goodRow('w-1')]))
    await page.getByText('The file has arrived. The service reads it soon.').waitFor()
    expect(await fact(page, 'Status').textContent()).toBe('Waiting to be read')
    expect(await page.getByText('It may not have arrived yet.').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Choose the file again' }).count()).toBe(0)
    const other = await enter()
    await keepUnread(other)
    await other.goto(page.url())
    await other.getByText('The service has not begun to read the file. It may not have arrived yet.').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await whenDone(page)
  })
})
